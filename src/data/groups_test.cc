#include "data/groups.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(EpisodeRows, PairsOfAGroupSupportEachOther) {
  const std::vector<int32_t> group{7, 3, 7, -1, 3, 7};  // interleaved; three of 7, two of 3, one of none
  const auto rows = episode_rows(group);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].support, 0);
  EXPECT_EQ(rows[0].query, 2);
  EXPECT_EQ(rows[1].support, 1);
  EXPECT_EQ(rows[1].query, 4);
  EXPECT_EQ(rows[2].support, 3);
  EXPECT_FALSE(rows[2].query);
  EXPECT_EQ(rows[3].support, 5);
  EXPECT_FALSE(rows[3].query);
}

TEST(EpisodeRows, NothingHasNone) { EXPECT_TRUE(episode_rows({}).empty()); }

}  // namespace
}  // namespace neo
