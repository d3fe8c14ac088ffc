#include "search/voting.h"

#include <gtest/gtest.h>

#include "search/distinct_sampling.h"
#include "search/testing.h"

namespace neo {
namespace {

// up, right | right, up | right, right, as if all of them explained the pair
Candidates three_programs() {
  return {torch::tensor({{{0, 1}, {1, 0}, {1, 1}}}), torch::tensor({{2, 2, 2}}),
          torch::tensor({{0.3, 0.3, 0.4}}, torch::kDouble).log()};
}

TEST(Vote, BehaviourJoinsProgramsThatCommute) {
  Neo model = true_theory();
  const Replay run =
      replay(*model, *make_hard_executor(*model), three_programs(), grid_with(5, 5).unsqueeze(1));
  EXPECT_EQ(replay_calls(run, three_programs(), 3), 6);
  EXPECT_EQ(replay_calls(run, three_programs(), 2), 4);
  EXPECT_TRUE(torch::equal(behaviour_classes(run), torch::tensor({{0, 0, 1}})));
  EXPECT_TRUE(torch::equal(spelling_classes(three_programs()), torch::tensor({{0, 1, 2}})));
}

TEST(Vote, TheGreatestSumOfProbabilitiesWins) {
  const Candidates c = three_programs();
  EXPECT_EQ(vote(c, torch::tensor({{0, 0, 1}}), 3)[0].item<int64_t>(), 0);
  EXPECT_EQ(vote(c, spelling_classes(c), 3)[0].item<int64_t>(), 2);
  EXPECT_EQ(vote(c, spelling_classes(c), 2)[0].item<int64_t>(), 0);
}

TEST(Vote, MoreProbesTellMoreProgramsApart) {
  // At the right edge "right" changes nothing, elsewhere it does.
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const Candidates c{torch::tensor({{{0, 1}, {0, 0}}}), torch::tensor({{2, 1}})};
  const auto at_edge = torch::zeros({1, 1, 100}, torch::kUInt8);
  const auto inside = grid_with(5, 5).unsqueeze(1);
  EXPECT_TRUE(
      torch::equal(behaviour_classes(replay(*model, *executor, c, at_edge)), torch::tensor({{0, 0}})));
  EXPECT_TRUE(torch::equal(behaviour_classes(replay(*model, *executor, c, torch::cat({at_edge, inside}, 1))),
                           torch::tensor({{0, 1}})));
}

TEST(Vote, NoCandidateWinsWhereNoneExplains) {
  Neo model = true_theory();
  const Candidates c{torch::zeros({1, 2, 3}, torch::kLong), torch::zeros({1, 2}, torch::kLong)};
  const Replay run = replay(*model, *make_hard_executor(*model), c, grid_with(5, 5).unsqueeze(1));
  EXPECT_EQ(run.ends.size(0), 0);
  EXPECT_EQ(vote(c, behaviour_classes(run), 2)[0].item<int64_t>(), -1);
}

TEST(ShortestDescription, PrefersFewCodesThenWhatTheExecutorIsSureOf) {
  const Candidates c{torch::tensor({{{0, 1, 0}, {1, 0, 0}, {1, 1, 1}}}), torch::tensor({{2, 2, 3}})};
  Replay run{torch::tensor({{0, 1, 2}}), torch::zeros({3, 1, 1}, torch::kUInt8),
             torch::tensor({{0.5}, {0.2}, {0.0}})};
  EXPECT_EQ(shortest_description(c, run, 1.0, 3)[0].item<int64_t>(), 1);
  EXPECT_EQ(shortest_description(c, run, 1.0, 1)[0].item<int64_t>(), 0);
  EXPECT_EQ(shortest_description(c, run, 0.1, 3)[0].item<int64_t>(), 2);
}

TEST(Replay, ReportsTheUncertaintyOfTheExecutor) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  const auto x = grid_with(5, 5);
  const Replay run = replay(*model, *executor, three_programs(), x.unsqueeze(1));
  const auto first = executor->step({x, x, torch::tensor({0}), torch::tensor({0}), {}});
  const auto second = executor->step({first.hard, x, torch::tensor({0}), torch::tensor({1}), {}});
  EXPECT_NEAR(run.uncertainty[0].item<float>(), 100 * (first.self_loss + second.self_loss).item<float>(), 1e-4);
}

std::vector<std::vector<int64_t>> spelled(const Candidates& c, int64_t row) {
  std::vector<std::vector<int64_t>> programs;
  for (int64_t m = 0; m < c.codes.size(1); ++m) {
    if (std::isinf(c.log_probability[row][m].item<double>())) continue;
    const int64_t length = c.lengths[row][m].item<int64_t>();
    const auto codes = c.codes[row][m].narrow(0, 0, length > 0 ? length : c.codes.size(2)).contiguous();
    programs.emplace_back(codes.data_ptr<int64_t>(), codes.data_ptr<int64_t>() + codes.numel());
  }
  return programs;
}

TEST(DrawDistinct, NeverRepeatsAProgram) {
  Neo model = true_theory();
  RngStream random(1, "x");
  const Candidates c = draw_distinct(*model, grid_with(5, 5), grid_with(4, 6),
                                     {.draws = 40, .steps = 3, .temperature = 0.5}, random);
  auto programs = spelled(c, 0);
  EXPECT_EQ(programs.size(), 40u);
  std::sort(programs.begin(), programs.end());
  EXPECT_EQ(std::unique(programs.begin(), programs.end()), programs.end());
}

TEST(DrawDistinct, EnoughDrawsAreAllPrograms) {
  Neo model = true_theory();
  RngStream random(1, "x");
  const Candidates c = draw_distinct(*model, grid_with(5, 5), grid_with(4, 5),
                                     {.draws = 64, .steps = 2, .temperature = 0.5}, random);
  EXPECT_EQ(spelled(c, 0).size(), 13u);  // "up" ends there: 1 instead of 4 of the 16
  EXPECT_NEAR(c.log_probability.exp().sum().item<double>(), 1.0, 1e-5);
}

TEST(DrawDistinct, TheFirstDrawIsDistributedAsTheProgrammerSays) {
  Neo model = true_theory();
  RngStream random(1, "x");
  constexpr int64_t kPairs = 4000;
  const Candidates c =
      draw_distinct(*model, grid_with(5, 5).repeat({kPairs, 1}), grid_with(2, 2).repeat({kPairs, 1}),
                    {.draws = 3, .steps = 1, .temperature = 0.5}, random);
  for (int64_t code = 0; code < 4; ++code) {
    const auto is_first = c.codes.select(1, 0).select(1, 0) == code;
    const auto log_probability = c.log_probability.select(1, 0).masked_select(is_first);
    if (log_probability.numel() == 0) continue;
    EXPECT_NEAR(is_first.to(torch::kDouble).mean().item<double>(),
                std::exp(log_probability[0].item<double>()), 0.03);
  }
}

TEST(DrawDistinct, TheDrawsOfAPairDoNotDependOnTheBatch) {
  Neo model = true_theory();
  const SamplingOptions options{.draws = 2048, .steps = 2, .temperature = 0.5};  // two pairs at a time
  const auto x = torch::cat({grid_with(5, 5), grid_with(2, 2), grid_with(5, 1)});
  const auto y = torch::cat({grid_with(5, 6), grid_with(2, 3), grid_with(4, 1)});
  RngStream a(1, "x"), b(1, "x");
  const Candidates together = draw_distinct(*model, x, y, options, a);
  SamplingOptions wide = options;
  wide.draws = 16;  // more than there are programs: the same draws, more pairs at a time
  const Candidates apart = draw_distinct(*model, x, y, wide, b);
  EXPECT_TRUE(torch::equal(together.codes.narrow(1, 0, 16), apart.codes));
}

}  // namespace
}  // namespace neo
