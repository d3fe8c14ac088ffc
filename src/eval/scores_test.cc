#include "eval/scores.h"

#include <gtest/gtest.h>

#include "eval/search_curves.h"
#include "model/testing.h"
#include "search/latent_beam.h"

namespace neo {
namespace {

// Every single move and every pair of moves of two cells, many times over; the query is another place.
Episodes many_moves() {
  constexpr int kRows[] = {-1, 0, 1, 0, 0}, kColumns[] = {0, 1, 0, -1, 0};
  std::vector<Pair> pairs;
  for (int32_t i = 0; i < 150; ++i) {  // more than a beam takes at once
    const int a = i % 4, b = i % 5, down = kRows[a] + kRows[b], right = kColumns[a] + kColumns[b];
    for (int at : {3 + i % 3, 4 + i % 3})
      pairs.push_back({testing::grid_with(at, 5), testing::grid_with(at + down, 5 + right), i});
  }
  return episodes_of(to_pairs("moves", testing::grid_space(), pairs));
}

double mean_of(const torch::Tensor& t) { return t.to(torch::kDouble).mean().item<double>(); }

TEST(EvaluatePolicy, CountsWhatExplainPairsFinds) {
  Neo model = testing::grid_theory();
  const Episodes episodes = many_moves();
  for (const Policy& policy : {Policy{.steps = 3}, Policy{.steps = 3, .fallback = "mdl", .tolerance = 0.15},
                               Policy{.steps = 3, .search = "beam", .width = 6}}) {
    SCOPED_TRACE(policy.search);
    const Explanations found = explain_pairs(*model, episodes.support_x, episodes.support_y, policy);
    const SplitScore score = evaluate_policy(*model, episodes, policy);
    EXPECT_EQ(score.episodes, 150);
    EXPECT_NEAR(score.self, mean_of(found.exact), 1e-9);
    EXPECT_NEAR(score.explained, mean_of(found.solved), 1e-9);
    EXPECT_NEAR(score.mean_length, mean_of(found.programs.lengths), 1e-9);
    const auto predicted = apply_programs(*model, episodes.query_x, found.programs, policy);
    ASSERT_TRUE(score.transfer.has_value());
    EXPECT_NEAR(*score.transfer, mean_of(exact_rows(predicted, episodes.query_y)), 1e-9);
    EXPECT_EQ(score.search, policy.search);
  }
}

TEST(EvaluatePolicy, TheBeamOfATrueTheoryTransfers) {
  Neo model = testing::grid_theory();
  const SplitScore score = evaluate_policy(*model, many_moves(), {.steps = 2, .search = "beam", .width = 8});
  EXPECT_EQ(score.self, 1.0);
  EXPECT_EQ(score.transfer, 1.0);
  EXPECT_EQ(score.method, "neo-s");
  EXPECT_EQ(score.calls, beam_calls(*model, 2, 8));
}

TEST(EvaluatePolicy, WithoutGroupsNothingIsSaidOfTransfer) {
  Neo model = testing::grid_theory();
  Episodes episodes = many_moves();
  const Policy policy{.steps = 2, .search = "beam", .width = 8};
  episodes.query_x = episodes.query_y = torch::Tensor();
  const SplitScore score = evaluate_policy(*model, episodes, policy);
  EXPECT_EQ(score.self, 1.0);
  EXPECT_FALSE(score.transfer.has_value());
  EXPECT_FALSE(to_json(score).contains("transfer"));
  EXPECT_TRUE(to_json(evaluate_policy(*model, many_moves(), policy)).contains("transfer"));
}

TEST(EvaluatePolicy, ErrorsStandBesideWhatTheyAreToBeComparedWith) {
  Neo model = testing::image_theory();
  torch::manual_seed(4);
  Episodes episodes{.name = "images", .space = testing::image_space()};
  episodes.support_x = torch::randint(0, 256, {6, 3072}, torch::kUInt8);
  episodes.support_y = torch::randint(0, 256, {6, 3072}, torch::kUInt8);
  const Policy policy{.steps = 2, .tolerance = 0.5, .hard_grounding = false, .search = "beam", .width = 4};
  const Explanations found = explain_pairs(*model, episodes.support_x, episodes.support_y, policy);
  const SplitScore score = evaluate_policy(*model, episodes, policy);
  const Readout readout = model->observation().readout();
  EXPECT_NEAR(score.self, mean_of(readout.error(found.ends, episodes.support_y)), 1e-9);
  EXPECT_NEAR(score.identity, mean_of(readout.error(episodes.support_x, episodes.support_y)), 1e-9);
  EXPECT_GT(score.floor, 0.0);
  EXPECT_EQ(score.explained, 1.0);
  EXPECT_EQ(to_json(score)["identity"].get<double>(), score.identity);
}

TEST(SearchCurves, MoreBudgetNeverExplainsFewerPairs) {
  Neo model = testing::grid_theory();
  const Episodes episodes = many_moves();
  const auto sampled = evaluate_sampling(
      *model, episodes, {.draws = 16, .steps = 2, .temperature = 1.0, .budgets = {1, 4, 16}}, 1);
  const auto searched = evaluate_best_first(
      *model, episodes, {.search = {.depth = 2, .temperature = 1.0}, .calls = {1, 8, 60}});
  for (const auto& scores : {sampled, searched}) {
    ASSERT_EQ(scores.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_LE(*scores[i].transfer, scores[i].pass + 1e-9);
      EXPECT_LE(scores[i].calls_used, static_cast<double>(scores[i].calls) + 1e-9);
      EXPECT_GE(scores[i].self, scores[i > 0 ? i - 1 : 0].self);
    }
  }
  EXPECT_EQ(searched.back().self, 1.0);  // all there is within two steps
  EXPECT_EQ(searched.back().transfer, 1.0);
}

}  // namespace
}  // namespace neo
