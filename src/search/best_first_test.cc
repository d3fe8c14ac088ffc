#include "search/best_first.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "search/testing.h"
#include "search/visited.h"

namespace neo {
namespace {

const BestFirstOptions kThorough{.depth = 4, .temperature = 1.0};

torch::Tensor three_starts() { return torch::cat({grid_with(5, 5), grid_with(5, 5), grid_with(2, 2)}); }
torch::Tensor three_ends() { return torch::cat({grid_with(3, 6), grid_with(5, 6), grid_with(2, 5)}); }

int64_t shortest(const Candidates& candidates, int64_t row) {
  const auto lengths = candidates.lengths[row];
  return lengths.masked_select(lengths > 0).min().item<int64_t>();
}

TEST(BestFirst, FindsTheShortestProgram) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  BestFirst search(*model, *executor, three_starts(), three_ends(), kThorough);
  search.run(400);
  const Candidates found = search.programs(8);
  EXPECT_EQ(shortest(found, 0), 3);
  EXPECT_EQ(shortest(found, 1), 1);
  EXPECT_EQ(shortest(found, 2), 3);
  const Programs likeliest{found.codes.select(1, 0), found.lengths.select(1, 0)};
  EXPECT_TRUE(torch::equal(ends_of(*model, three_starts(), likeliest), three_ends()));
}

TEST(BestFirst, ExpandsNoObservationTwice) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const auto x = grid_with(5, 5);
  std::map<int64_t, Observation> node{{0, Observation(x.data_ptr<uint8_t>(), x.data_ptr<uint8_t>() + 100)}};
  std::set<std::pair<Observation, int64_t>> calls;
  int64_t repeated = 0;
  BestFirst search(*model, *executor, x, grid_with(3, 7), kThorough, [&](const Expansion& e) {
    EXPECT_EQ(e.is_new, node.count(e.node) == 0);
    EXPECT_EQ(node.try_emplace(e.node, e.observation).first->second, e.observation);
    repeated += !calls.emplace(node.at(e.parent), e.code).second;
  });
  search.run(1000);
  EXPECT_EQ(repeated, 0);
  EXPECT_EQ(static_cast<int64_t>(calls.size()), search.calls()[0].item<int64_t>());
  EXPECT_LE(calls.size(), 25u * 4u);  // 25 placements are less than four steps away
}

TEST(BestFirst, SpendsNoMoreCallsThanAllowed) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  BestFirst search(*model, *executor, three_starts(), three_ends(), kThorough);
  search.run(7);
  EXPECT_TRUE(torch::equal(search.calls(), torch::tensor({7, 7, 7})));
  search.run(7);
  EXPECT_TRUE(torch::equal(search.calls(), torch::tensor({7, 7, 7})));
}

TEST(BestFirst, GoesOnWhereItStopped) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  BestFirst pieces(*model, *executor, three_starts(), three_ends(), kThorough);
  for (int64_t calls : {1, 2, 13, 40}) pieces.run(calls);
  BestFirst whole(*model, *executor, three_starts(), three_ends(), kThorough);
  whole.run(40);
  EXPECT_TRUE(torch::equal(pieces.programs(16).codes, whole.programs(16).codes));
}

TEST(BestFirst, FindsTheSameInAnyBatch) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  BestFirst together(*model, *executor, three_starts(), three_ends(), kThorough);
  together.run(60);
  const Candidates all = together.programs(16);
  for (int64_t row = 0; row < 3; ++row) {
    BestFirst alone(*model, *executor, three_starts().narrow(0, row, 1), three_ends().narrow(0, row, 1),
                    kThorough);
    alone.run(60);
    EXPECT_TRUE(torch::equal(alone.programs(16).codes[0], all.codes[row]));
    EXPECT_TRUE(torch::equal(alone.closest().codes[0], together.closest().codes[row]));
  }
}

TEST(BestFirst, FollowsGreedyInductionAsFarAsThatLeadsOn) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const auto greedy = induce(*model, three_starts(), three_ends(), {{}, 4});
  std::vector<std::vector<Expansion>> calls(3);
  BestFirst search(*model, *executor, three_starts(), three_ends(), kThorough,
                   [&](const Expansion& e) { calls[static_cast<size_t>(e.pair)].push_back(e); });
  search.run(4);
  for (int64_t row = 0; row < 3; ++row) {
    int64_t k = 0;
    for (const Expansion& e : calls[static_cast<size_t>(row)]) {
      EXPECT_EQ(e.code, greedy.codes[row][k].item<int64_t>());
      EXPECT_EQ(e.depth, ++k);
      if (!e.is_new || e.exact) break;
    }
  }
}

TEST(BestFirst, StopsEarlyOnceNothingLikelierIsLeft) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const auto x = grid_with(5, 5);
  int64_t at_once = 0;
  for (const auto& y : {grid_with(4, 5), grid_with(5, 6), grid_with(5, 4), grid_with(6, 5)}) {
    if (!induce(*model, x, y, {{}, 1}).exact.item<bool>()) continue;
    ++at_once;
    BestFirst search(*model, *executor, x, y, {.depth = 4, .temperature = 1e-3, .stop_early = true});
    search.run(200);
    EXPECT_EQ(search.calls()[0].item<int64_t>(), 1);
    EXPECT_EQ(search.programs(1).lengths.item<int64_t>(), 1);
  }
  EXPECT_GT(at_once, 0);  // the programmer is an untrained one, yet right about some
}

TEST(BestFirst, GivesTheNearestProgramWhenNoneIsExact) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  BestFirst search(*model, *executor, grid_with(5, 1), grid_with(5, 8), kThorough);
  EXPECT_EQ(search.closest().lengths.item<int64_t>(), 0);
  search.run(500);
  EXPECT_EQ(search.programs(4).lengths.sum().item<int64_t>(), 0);
  EXPECT_GT(search.closest().lengths.item<int64_t>(), 0);
}

const Observation kX{0}, kLeft{1}, kRight{2}, kGoal{3};

TEST(Visited, EveryPathToTheGoalIsAnExplanationLikeliestFirst) {
  Visited visited(kX);
  EXPECT_EQ(visited.add(0, 7, -1.0, kLeft, false).node, 1);
  EXPECT_EQ(visited.add(0, 8, -0.5, kRight, false).node, 2);
  EXPECT_FALSE(visited.solved());
  EXPECT_TRUE(visited.add(1, 8, -0.1, kGoal, true).is_new);
  EXPECT_FALSE(visited.add(2, 7, -2.0, kGoal, true).is_new);
  const auto found = visited.paths(2, 10);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].codes, (std::vector<int64_t>{7, 8}));
  EXPECT_DOUBLE_EQ(found[0].log_probability, -1.1);
  EXPECT_EQ(found[1].codes, (std::vector<int64_t>{8, 7}));
  EXPECT_TRUE(visited.paths(1, 10).empty());
  EXPECT_EQ(visited.paths(2, 1).size(), 1u);
}

TEST(Visited, DetoursAreExplanationsAsLongAsTheyFit) {
  Visited visited(kX);
  visited.add(0, 1, -1.0, kLeft, false);
  EXPECT_EQ(visited.add(1, 2, -1.0, kX, false).node, 0);  // and back
  visited.add(0, 3, -1.0, kGoal, true);
  EXPECT_EQ(visited.paths(2, 10).size(), 1u);
  EXPECT_EQ(visited.paths(5, 10).size(), 3u);
}

}  // namespace
}  // namespace neo
