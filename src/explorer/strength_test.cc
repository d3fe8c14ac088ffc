#include "explorer/strength.h"

#include <gtest/gtest.h>

namespace neo {
namespace {
using Order = std::vector<size_t>;

TEST(StrongestFirst, OfThoseThatTransferEquallyWellItIsTheOneThatWasShownLeast) {
  EXPECT_EQ(strongest_first({{"a", 0.33, 0.054}, {"a", 1.0, 0.036}, {"a", 0.66, 0.041}}), (Order{2, 1, 0}));
  EXPECT_EQ(strongest_first({{"a", 0.66, 0}, {"a", 0.33, 0.5}, {"a", 1.0, 0.1}}), (Order{0, 2, 1}));
}

TEST(StrongestFirst, EqualsKeepTheirOrder) {
  EXPECT_EQ(strongest_first({{"a", 0.33, 0}, {"a", 0.33, 0}}), (Order{0, 1}));
}

TEST(StrongestFirst, WorldsAndOwnDataStayWhereTheyAre) {
  EXPECT_EQ(strongest_first({{"b", 1, 0}, {"", 1, 0.9}, {"a", 1, 0}, {"", 0.1, 0}, {"b", 0.3, 0}}), (Order{4, 0, 1, 2, 3}));
}

}  // namespace
}  // namespace neo
