#include "rollout/rollout.h"

#include <gtest/gtest.h>

#include "core/testing.h"
#include "model/testing.h"
#include "observe/tensors.h"

namespace neo {
namespace {

torch::Tensor cell_at(int row, int column) {
  return to_rows(testing::grid_space(), testing::grid_with(row, column));
}
torch::Tensor cell_at(int row, int column, int64_t copies) {
  return cell_at(row, column).repeat({copies, 1});
}

TEST(RunPrograms, RowsStayWhereTheirProgramEnds) {
  Neo model = testing::grid_theory();
  const auto x = cell_at(5, 5, 4);
  const Programs programs{torch::tensor({{0, 0, 0}, {1, 0, 2}, {2, 2, 2}, {3, 3, 0}}),
                          torch::tensor({2, 1, 0, 3})};
  const Trajectory t = run_programs(*model, x, {}, programs, {});
  const auto expected = torch::cat({cell_at(3, 5), cell_at(5, 6), cell_at(5, 5), cell_at(4, 3)});
  EXPECT_TRUE(torch::equal(t.ends(programs.lengths), expected));
  ASSERT_EQ(t.observations.size(), 4u);
  EXPECT_TRUE(torch::equal(t.observations.front(), x));
  EXPECT_TRUE(torch::equal(t.observations.back(), expected));  // those that are done have not moved
  EXPECT_TRUE(torch::equal(t.observations[1],
                           torch::cat({cell_at(4, 5), cell_at(5, 6), cell_at(5, 5), cell_at(5, 4)})));
}

TEST(RunPrograms, OfLengthZeroGiveXBack) {
  Neo model = testing::grid_theory();
  const auto x = torch::cat({cell_at(5, 5), cell_at(2, 3)});
  const Programs none{torch::zeros({2, 3}, torch::kLong), torch::zeros({2}, torch::kLong)};
  EXPECT_TRUE(torch::equal(run_programs(*model, x, x, none, {}).ends(none.lengths), x));
  for (bool hard : {false, true}) {
    const Trajectory t = run_programs(*model, x, {}, none, {.hard_grounding = hard});
    EXPECT_TRUE(torch::equal(t.ends(none.lengths), x));
  }
}

TEST(RunPrograms, ReadEveryStepAgainstY) {
  Neo model = testing::grid_theory();
  const auto x = cell_at(5, 5, 2), y = cell_at(4, 6, 2);
  const Programs programs{torch::tensor({{0, 1}, {1, 1}}), torch::tensor({2, 2})};
  const Trajectory t = run_programs(*model, x, y, programs, {});
  EXPECT_TRUE(torch::equal(t.exact, torch::tensor({{false, true}, {false, false}})));
  EXPECT_LT(t.losses[0][1].item<float>(), t.losses[0][0].item<float>());
  EXPECT_TRUE(torch::equal(t.codes, programs.codes));
  EXPECT_FALSE(t.log_probability.defined());
}

TEST(RunPrograms, AsInducedTheyGiveTheSameObservationsLossesAndProbabilities) {
  Neo model = testing::grid_theory();
  torch::manual_seed(3);
  const auto x = torch::randint(0, 9, {6, 100}, torch::kUInt8),
             y = torch::randint(0, 9, {6, 100}, torch::kUInt8);
  for (bool hard : {false, true}) {
    SCOPED_TRACE(hard);
    const RolloutOptions rollout{.hard_grounding = hard, .temperature = 0.7};
    const Trajectory induced = induce(*model, x, y, {rollout, 3, torch::rand({6, 3})});
    const Trajectory run = run_programs(*model, x, y, {induced.codes, torch::full({6}, 3)}, rollout);
    ASSERT_TRUE(run.log_probability.defined());
    EXPECT_TRUE(torch::allclose(run.log_probability, induced.log_probability, 1e-4, 1e-5));
    EXPECT_TRUE((run.log_probability <= 0).all().item<bool>());
    EXPECT_TRUE(torch::allclose(run.losses, induced.losses, 1e-4, 1e-5));
    EXPECT_TRUE(torch::allclose(run.self_losses, induced.self_losses, 1e-4, 1e-5));
    EXPECT_TRUE(torch::equal(run.exact, induced.exact));
    for (size_t k = 0; k < 4; ++k)
      EXPECT_TRUE(torch::equal(run.observations[k], induced.observations[k])) << k;
  }
}

TEST(RunPrograms, ARowDoesNotDependOnTheOthers) {
  Neo model = testing::image_theory();
  torch::manual_seed(4);
  const auto x = torch::randint(0, 256, {3, 3072}, torch::kUInt8),
             y = torch::randint(0, 256, {3, 3072}, torch::kUInt8);
  const Programs programs{torch::tensor({{0, 1, 2}, {3, 0, 0}, {1, 1, 0}}), torch::tensor({3, 1, 2})};
  const RolloutOptions latent{.hard_grounding = false};
  const auto together = run_programs(*model, x, y, programs, latent);
  for (int64_t row = 0; row < 3; ++row) {
    const int64_t length = programs.lengths[row].item<int64_t>();
    const Programs own{programs.codes.narrow(0, row, 1).narrow(1, 0, length),
                       programs.lengths.narrow(0, row, 1)};
    const auto alone = run_programs(*model, x.narrow(0, row, 1), y.narrow(0, row, 1), own, latent);
    EXPECT_TRUE(torch::equal(alone.ends(own.lengths)[0], together.ends(programs.lengths)[row]));
    EXPECT_TRUE(torch::allclose(alone.losses[0], together.losses[row].narrow(0, 0, length), 1e-4, 1e-5));
  }
}

TEST(RunPrograms, AnExecutorOfOnesOwnRunsTheCodes) {
  struct Backwards : HardExecutor {  // whatever the code
    Reading step(const StepBatch& batch) override {
      const auto hard = batch.observations.index_select(0, batch.source).flip(1);
      const auto none = torch::zeros({hard.size(0)});
      return {none, none, hard, none.to(torch::kBool)};
    }
  } executor;
  Neo model = testing::grid_theory();
  const auto x = cell_at(0, 1);
  const Programs once{torch::tensor({{2}}), torch::tensor({1})};
  EXPECT_TRUE(
      torch::equal(run_programs(*model, x, {}, once, {.executor = &executor}).ends(once.lengths), x.flip(1)));
}

// 2 pairs, 3 lengths.
const auto kNever = [] { return torch::zeros({2, 3}, torch::kBool); };
torch::Tensor two_pairs() { return torch::tensor({{0.5, 0.2, 0.1}, {0.5, 0.2, 0.3}}); }

TEST(ChooseLengths, TheShortestExactPrefixOverridesTheLoss) {
  const auto exact = torch::tensor({{false, true, true}, {false, false, false}});
  EXPECT_TRUE(torch::equal(choose_lengths(two_pairs(), exact, {Fallback::mdl}), torch::tensor({2, 2})));
  EXPECT_TRUE(torch::equal(choose_lengths(two_pairs(), exact, {Fallback::all_steps}), torch::tensor({2, 3})));
}

TEST(ChooseLengths, LambdaOverOnePrefersShortPrograms) {
  const auto losses = torch::tensor({{0.30, 0.28}});
  const auto exact = torch::zeros({1, 2}, torch::kBool);
  EXPECT_EQ(choose_lengths(losses, exact, {Fallback::mdl, 1.2})[0].item<int64_t>(), 1);
  EXPECT_EQ(choose_lengths(losses, exact, {Fallback::mdl, 0.9})[0].item<int64_t>(), 2);
}

TEST(ChooseLengths, TheFirstLossWithinTheToleranceEndsAProgram) {
  const LengthRule rule{Fallback::all_steps, 1.0, 0.25};
  EXPECT_TRUE(torch::equal(choose_lengths(two_pairs(), kNever(), rule), torch::tensor({2, 2})));
  const auto exact = torch::tensor({{true, false, false}, {false, false, true}});
  EXPECT_TRUE(torch::equal(choose_lengths(two_pairs(), exact, rule), torch::tensor({1, 2})));
  EXPECT_TRUE(torch::equal(choose_lengths(two_pairs(), kNever(), {Fallback::all_steps, 1.0, 0.05}),
                           torch::tensor({3, 3})));
  EXPECT_TRUE(
      torch::equal(choose_lengths(two_pairs(), kNever(), {Fallback::mdl, 1.0, 0.05}), torch::tensor({3, 2})));
}

TEST(ChooseLengths, WithoutAToleranceOnlyAnExactMatchExplains) {
  const auto nothing = torch::zeros({1, 2});
  const auto exact = torch::zeros({1, 2}, torch::kBool);
  EXPECT_FALSE(explained(nothing, exact, 0).any().item<bool>());
  EXPECT_EQ(choose_lengths(nothing, exact, {}).item<int64_t>(), 2);
  EXPECT_TRUE(explained(nothing, exact, 1e-9).all().item<bool>());
}

TEST(ChooseLengths, TheRuleIsThePolicys) {
  const LengthRule rule = length_rule({.lambda = 0.9, .fallback = "mdl", .tolerance = 0.3});
  EXPECT_EQ(rule.fallback, Fallback::mdl);
  EXPECT_EQ(rule.lambda, 0.9);
  EXPECT_EQ(rule.tolerance, 0.3);
  EXPECT_CONTAINS(testing::error_of([] { fallback_named("none"); }), "all, mdl");
}

}  // namespace
}  // namespace neo
