#include "search/explanations.h"

#include <gtest/gtest.h>

#include "search/testing.h"

namespace neo {
namespace {

const Policy kGreedy{.steps = 4}, kBeam{.steps = 4, .search = "beam", .width = 8};

// One, two and three moves, and one that is out of reach.
torch::Tensor four_starts() { return grid_with(5, 5).repeat({4, 1}); }
torch::Tensor four_goals() {
  return torch::cat({grid_with(4, 5), grid_with(4, 6), grid_with(5, 2), grid_with(0, 0)});
}

void expect_consistent(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const Policy& policy) {
  const Explanations found = explain_pairs(model, x, y, policy);
  const auto ends = apply_programs(model, x, found.programs, policy);
  EXPECT_TRUE(torch::equal(found.ends, ends));
  EXPECT_TRUE((found.programs.lengths >= 1).all().item<bool>());
  EXPECT_TRUE((found.programs.lengths <= policy.steps).all().item<bool>());
  const Readout readout = model.observation().readout();
  if (readout.is_categorical()) {
    EXPECT_TRUE(torch::equal(found.exact, (ends == y).all(1)));
  } else {
    EXPECT_FALSE(found.exact.any().item<bool>());
    EXPECT_TRUE(torch::allclose(found.losses.to(torch::kDouble), readout.error(ends, y), 0.05, 0.005));
  }
  EXPECT_TRUE(torch::equal(found.solved, explained(found.losses, found.exact, policy.tolerance)));
}

TEST(ExplainPairs, WhatIsSaidOfAProgramIsWhatItDoes) {
  Neo grids = true_theory();
  expect_consistent(*grids, four_starts(), four_goals(), kGreedy);
  expect_consistent(*grids, four_starts(), four_goals(), kBeam);
  Neo images = testing::image_theory();
  torch::manual_seed(4);
  const auto x = torch::randint(0, 256, {5, 3072}, torch::kUInt8),
             y = torch::randint(0, 256, {5, 3072}, torch::kUInt8);
  for (const char* search : {"greedy", "beam"}) {
    for (double tolerance : {0.0, 0.3}) {
      SCOPED_TRACE(search);
      expect_consistent(
          *images, x, y,
          {.steps = 3, .tolerance = tolerance, .hard_grounding = false, .search = search, .width = 6});
    }
  }
}

TEST(ExplainPairs, GreedyTakesTheProgrammersProposalsAndCutsThemByTheRule) {
  Neo model = true_theory();
  const Explanations found = explain_pairs(*model, four_starts(), four_goals(), kGreedy);
  const Trajectory t = induce(*model, four_starts(), four_goals(), {{}, 4});
  EXPECT_TRUE(torch::equal(found.programs.codes, t.codes));
  EXPECT_TRUE(torch::equal(found.programs.lengths, choose_lengths(t.losses, t.exact, length_rule(kGreedy))));
  Policy mdl = kGreedy;
  mdl.fallback = "mdl";
  mdl.lambda = 50;
  const Explanations shorter = explain_pairs(*model, four_starts(), four_goals(), mdl);
  EXPECT_TRUE((shorter.programs.lengths == 1).logical_or(shorter.exact).all().item<bool>());
}

TEST(ExplainPairs, TheBeamFindsTheShortestPrograms) {
  Neo model = true_theory();
  const Explanations found = explain_pairs(*model, four_starts(), four_goals(), kBeam);
  EXPECT_TRUE(torch::equal(found.programs.lengths.narrow(0, 0, 3), torch::tensor({1, 2, 3})));
  EXPECT_TRUE(torch::equal(found.exact, torch::tensor({true, true, true, false})));
  EXPECT_TRUE(torch::equal(found.ends.narrow(0, 0, 3), four_goals().narrow(0, 0, 3)));
}

TEST(ExplainPairs, ALooseToleranceIsMetAtOnce) {
  Neo model = true_theory();
  Policy loose = kGreedy;
  loose.tolerance = 1e6;
  const Explanations found = explain_pairs(*model, four_starts(), four_goals(), loose);
  EXPECT_TRUE(found.solved.all().item<bool>());
  EXPECT_TRUE((found.programs.lengths == 1).all().item<bool>());
}

TEST(ExplainPairs, AnExecutorThatLivesLongerGivesTheSame) {
  Neo model = true_theory();
  const auto executor = make_hard_executor(*model);
  for (const Policy& policy : {kGreedy, kBeam}) {
    const Explanations own = explain_pairs(*model, four_starts(), four_goals(), policy);
    const Explanations passed = explain_pairs(*model, four_starts(), four_goals(), policy, executor.get());
    EXPECT_TRUE(torch::equal(own.programs.codes, passed.programs.codes));
    EXPECT_TRUE(torch::equal(own.ends, passed.ends));
  }
}

TEST(ExplainPairs, ATheoryWithoutCodesIsRefinedWhateverTheSearch) {
  Neo model = testing::continuous_theory(/*width=*/4, /*spread=*/0.3);
  torch::manual_seed(5);
  const auto x = torch::randint(0, 10, {8, 6}, torch::kUInt8),
             y = torch::randint(0, 10, {8, 6}, torch::kUInt8);
  for (const char* search : {"greedy", "beam"}) {
    Policy policy{.steps = 1, .hard_grounding = false, .search = search};
    const auto plain = explain_pairs(*model, x, y, policy).losses.mean().item<double>();
    policy.refine = true;
    policy.refine_steps = 20;
    const Explanations refined = explain_pairs(*model, x, y, policy);
    EXPECT_LT(refined.losses.mean().item<double>(), plain - 1e-3);
    EXPECT_TRUE(torch::equal(apply_programs(*model, x, refined.programs, policy), refined.ends));
  }
}

}  // namespace
}  // namespace neo
