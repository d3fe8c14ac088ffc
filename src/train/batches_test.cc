#include "train/batches.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/testing.h"

namespace neo {
namespace {

const Space kMarks{.layout = Layout::sequence, .shape = {2}, .values = {256}};

// Pair i of pass p shows only the value 10 p + i.
Pairs marked(int64_t pass) {
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < 10; ++i) {
    const Observation o(2, static_cast<uint8_t>(10 * pass + i));
    pairs.push_back({o, o});
  }
  return to_pairs("marked", kMarks, pairs);
}

// `groups` groups of two pairs, 2 g and 2 g + 1.
Pairs grouped_by_two(int32_t groups) {
  std::vector<Pair> pairs;
  for (int32_t i = 0; i < 2 * groups; ++i) {
    const Observation o(2, static_cast<uint8_t>(i));
    pairs.push_back({o, o, i / 2});
  }
  return to_pairs("by two", kMarks, pairs);
}

std::vector<int64_t> firsts(const PairBatch& batch) {
  const auto column = batch.x.select(1, 0).to(torch::kLong).contiguous();
  return {column.data_ptr<int64_t>(), column.data_ptr<int64_t>() + column.size(0)};
}

std::vector<PairBatch> one_pass(BatchStream& stream) {
  std::vector<PairBatch> batches;
  do {
    batches.push_back(stream.next());
  } while (!stream.pass_is_over());
  return batches;
}

TEST(BatchStream, APassShowsEveryPairOnce) {
  BatchStream stream(marked(0), {.size = 4, .seed = 1});
  EXPECT_EQ(stream.batches_per_pass(), 3);
  for (int pass = 0; pass < 2; ++pass) {
    std::multiset<int64_t> seen;
    std::vector<int64_t> sizes;
    for (const PairBatch& batch : one_pass(stream)) {
      sizes.push_back(batch.x.size(0));
      EXPECT_TRUE(torch::equal(batch.x, batch.y));
      for (int64_t value : firsts(batch)) seen.insert(value);
    }
    EXPECT_EQ(sizes, (std::vector<int64_t>{4, 4, 2}));
    EXPECT_EQ(seen, (std::multiset<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(stream.pass(), pass);
  }
}

TEST(BatchStream, PassesComeInDifferentOrderAndTheSameSeedGivesTheSame) {
  BatchStream one(marked(0), {.size = 10, .seed = 1}), same(marked(0), {.size = 10, .seed = 1}),
      other(marked(0), {.size = 10, .seed = 2});
  const auto first = firsts(one.next());
  EXPECT_EQ(first, firsts(same.next()));
  EXPECT_NE(first, firsts(other.next()));
  EXPECT_NE(first, firsts(one.next()));
}

TEST(BatchStream, PairsOfAGroupAreIndependentUnlessTrainingIsGrouped) {
  BatchStream stream(grouped_by_two(100), {.size = 10, .seed = 1});
  int64_t together = 0;
  for (const PairBatch& batch : one_pass(stream)) {
    EXPECT_FALSE(batch.group.defined());
    std::map<int64_t, int64_t> of_group;
    for (int64_t value : firsts(batch)) ++of_group[value / 2];
    for (const auto& [group, count] : of_group) together += count == 2;
  }
  EXPECT_LT(together, 20);  // of 100; by chance about 5
}

TEST(BatchStream, GroupedBatchesKeepGroupsWholeAndNumberThem) {
  BatchStream stream(grouped_by_two(11), {.size = 6, .seed = 1, .grouped = true});
  std::set<int64_t> seen;
  for (const PairBatch& batch : one_pass(stream)) {
    ASSERT_TRUE(batch.group.defined());
    const auto values = firsts(batch);
    ASSERT_EQ(batch.group.size(0), static_cast<int64_t>(values.size()));
    std::map<int64_t, std::set<int64_t>> members;
    for (size_t i = 0; i < values.size(); ++i) {
      members[batch.group[static_cast<int64_t>(i)].item<int64_t>()].insert(values[i]);
      EXPECT_TRUE(seen.insert(values[i]).second);
    }
    for (const auto& [number, pairs] : members)
      EXPECT_EQ(pairs, (std::set<int64_t>{*pairs.begin() / 2 * 2, *pairs.begin() / 2 * 2 + 1}));
  }
  EXPECT_EQ(seen.size(), 22u);
}

TEST(BatchStream, PairsWithoutAGroupStandForThemselvesInGroupedBatches) {
  std::vector<Pair> pairs;
  for (int32_t i = 0; i < 6; ++i) {
    const Observation o(2, static_cast<uint8_t>(i));
    pairs.push_back({o, o, i < 2 ? 0 : -1});
  }
  BatchStream stream(to_pairs("mixed", kMarks, pairs), {.size = 6, .seed = 1, .grouped = true});
  const PairBatch batch = stream.next();
  std::map<int64_t, int64_t> count;
  for (int64_t i = 0; i < 6; ++i) ++count[batch.group[i].item<int64_t>()];
  EXPECT_EQ(count.size(), 5u);  // one group of two, four pairs of their own
}

TEST(BatchStream, GroupedTrainingNeedsGroups) {
  const std::string message =
      testing::error_of([] { BatchStream(marked(0), {.size = 4, .seed = 1, .grouped = true}); });
  EXPECT_CONTAINS(message, "groups");
  EXPECT_CONTAINS(message, "--grouped");
}

TEST(BatchStream, FreshPairsReplaceThoseOfThePassBefore) {
  BatchStream stream(marked(0), {.size = 10, .seed = 1}, marked);
  for (int64_t pass = 0; pass < 3; ++pass) {
    for (int64_t value : firsts(stream.next())) EXPECT_EQ(value / 10, pass);
  }
}

TEST(BatchStream, ASoughtPositionGoesOnWithTheSameBatches) {
  BatchStream stream(marked(0), {.size = 4, .seed = 1}, marked);
  for (int i = 0; i < 7; ++i) stream.next();  // in the third pass
  const auto position = stream.position();
  BatchStream other(marked(0), {.size = 4, .seed = 1}, marked);
  other.seek(position);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(firsts(stream.next()), firsts(other.next()));
}

}  // namespace
}  // namespace neo
