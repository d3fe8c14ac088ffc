#include <gtest/gtest.h>

#include "eval/scores.h"
#include "eval/vocabulary.h"
#include "model/testing.h"

namespace neo {
namespace {

Episodes random_episodes(int64_t count) {
  Episodes set{.name = "random", .space = testing::number_space()};
  for (auto* numbers : {&set.support_x, &set.support_y, &set.query_x, &set.query_y})
    *numbers = torch::randint(0, 10, {count, 6}, torch::kUInt8);
  set.support_y.slice(1, 0, 5).copy_(set.support_x.slice(1, 0, 5));  // near enough to be reached by a few
  return set;
}

const Policy kPlain{.steps = 1, .hard_grounding = false};
const Policy kRefined{.steps = 1, .hard_grounding = false, .refine = true, .refine_steps = 60, .refine_rate = 0.83};

TEST(ContinuousTransfer, RefinementExplainsMoreSupportPairs) {
  Neo model = testing::continuous_theory(/*width=*/16, /*spread=*/0.5);
  const Episodes episodes = random_episodes(64);
  const double plain = evaluate_policy(*model, episodes, kPlain).self;
  EXPECT_GT(evaluate_policy(*model, episodes, kRefined).self, plain + 0.05);
}

TEST(ContinuousTransfer, RefinementNeverSeesTheQuery) {
  Neo model = testing::continuous_theory(/*width=*/16, /*spread=*/0.5);
  Episodes episodes = random_episodes(64);
  const double self = evaluate_policy(*model, episodes, kRefined).self;
  // What it predicts for the support input as query is what it explained; no target for it is needed.
  episodes.query_x = episodes.support_x;
  EXPECT_EQ(evaluate_policy(*model, episodes, kRefined).self, self);
  episodes.query_y = episodes.support_y;
  EXPECT_EQ(evaluate_policy(*model, episodes, kRefined).transfer, self);
  episodes.query_y = 9 - episodes.support_y;
  EXPECT_EQ(evaluate_policy(*model, episodes, kRefined).self, self);
  EXPECT_EQ(evaluate_policy(*model, episodes, kRefined).transfer, 0.0);
}

TEST(ContinuousTransfer, CountsTheExecutorCallsOfRefinement) {
  Neo model = testing::continuous_theory(/*width=*/16, /*spread=*/0.5);
  const Episodes episodes = random_episodes(4);
  EXPECT_EQ(evaluate_policy(*model, episodes, kPlain).calls, 1);
  EXPECT_EQ(evaluate_policy(*model, episodes, kRefined).calls, 62);
}

TEST(Vocabulary, IsEmptyWhereThereAreNoCodes) {
  Neo model = testing::continuous_theory(/*width=*/16, /*spread=*/0.5);
  const Vocabulary vocabulary =
      inspect_vocabulary(*model, random_episodes(4).support_x, &benchmark_named("arithmetic"));
  EXPECT_TRUE(vocabulary.alignment.empty());
  EXPECT_EQ(vocabulary.primitiveness, 0.0);
}

}  // namespace
}  // namespace neo
