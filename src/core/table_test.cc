#include "core/table.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Table, NamesStandLeftAndNumbersRight) {
  EXPECT_EQ(aligned({{"name", "ms"}, {"größer", "1.5"}, {"a"}}),
            "name     ms\n"
            "größer  1.5\n"
            "a\n");
}

TEST(Table, SeveralColumnsMayBeNames) {
  EXPECT_EQ(aligned({{"a", "b", "10"}, {"", "bbb", "9"}}, /*names=*/2),
            "a  b    10\n"
            "   bbb   9\n");
}

}  // namespace
}  // namespace neo
