#include "rollout/refine.h"

#include <gtest/gtest.h>

#include "model/testing.h"
#include "rollout/rollout.h"

namespace neo {
namespace {

torch::Tensor numbers(int64_t count) { return torch::randint(0, 10, {count, 6}, torch::kUInt8); }

double support_loss(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const Refinement& how) {
  return induce(model, x, y, {{.hard_grounding = false}, 1, {}, how}).losses.mean().item<double>();
}

TEST(Refine, LowersTheLossOfThePairAndMoreStepsLowerItMore) {
  Neo model = testing::continuous_theory(/*width=*/4, /*spread=*/0.3);
  const auto x = numbers(32);
  const auto y = numbers(32);
  const double plain = support_loss(*model, x, y, {});
  const double few = support_loss(*model, x, y, {.steps = 5, .rate = 0.17});
  const double many = support_loss(*model, x, y, {.steps = 30, .rate = 0.17});
  EXPECT_LT(few, plain - 1e-3);
  EXPECT_LT(many, few - 1e-3);
}

TEST(Refine, NoRowEverGetsWorse) {
  Neo model = testing::continuous_theory(/*width=*/4, /*spread=*/0.3);
  const auto x = numbers(32);
  const auto y = numbers(32);
  InductionOptions options{{.hard_grounding = false}, 1};
  const auto plain = induce(*model, x, y, options).losses;
  options.refinement = {.steps = 3, .rate = 1e6};
  EXPECT_TRUE((induce(*model, x, y, options).losses <= plain + 1e-5).all().item<bool>());
}

TEST(Refine, RowsDoNotMeet) {
  Neo model = testing::continuous_theory(/*width=*/4, /*spread=*/0.3);
  const auto state = model->observation().encode(numbers(8));
  const auto y = numbers(8);
  const auto z = torch::randn({8, 4});
  const Refinement how{.steps = 4, .rate = 0.17};
  const auto together = refine(*model, state, y, z, how);
  const auto alone = refine(*model, state.narrow(0, 3, 1), y.narrow(0, 3, 1), z.narrow(0, 3, 1), how);
  EXPECT_TRUE(torch::allclose(together.narrow(0, 3, 1), alone, 1e-4, 1e-5));
}

TEST(ContinuousPrograms, RunAgainToTheSameObservation) {
  Neo model = testing::continuous_theory(/*width=*/4, /*spread=*/0.3);
  const auto x = numbers(16);
  for (bool hard : {false, true}) {
    const Trajectory t = induce(*model, x, numbers(16), {{.hard_grounding = hard}, 3});
    const Programs programs{t.codes, torch::full({16}, 3), t.vectors};
    const Trajectory again = run_programs(*model, x, {}, programs, {.hard_grounding = hard});
    EXPECT_TRUE(torch::equal(again.ends(programs.lengths), t.observations.back()));
  }
}

}  // namespace
}  // namespace neo
