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
    EXPECT_NEAR(*score.transfer, mean_of(exact_rows(predicted, episodes.query_y).logical_and(found.solved)), 1e-9);
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

// Pairs five cells apart, out of reach of two steps, whose queries ask for whatever `predicted` is.
Episodes out_of_reach(NeoImpl& model, const Policy& policy) {
  std::vector<Pair> pairs;
  for (int32_t i = 0; i < 20; ++i) {
    pairs.push_back({testing::grid_with(1 + i % 3, 2), testing::grid_with(1 + i % 3, 7), i});
    pairs.push_back({testing::grid_with(5, 5), testing::grid_with(5, 5), i});
  }
  Episodes episodes = episodes_of(to_pairs("far", testing::grid_space(), pairs));
  const Explanations found = explain_pairs(model, episodes.support_x, episodes.support_y, policy);
  episodes.query_y = apply_programs(model, episodes.query_x, found.programs, policy);
  return episodes;
}

TEST(EveryStrategy, CountsASupportPairThatItDoesNotExplainAsAFailure) {
  Neo model = testing::grid_theory();
  const Policy policy{.steps = 2};
  const Episodes episodes = out_of_reach(*model, policy);
  std::vector<SplitScore> scores{evaluate_policy(*model, episodes, policy),
                                 evaluate_policy(*model, episodes, {.steps = 2, .search = "beam", .width = 8})};
  for (const SplitScore& s : evaluate_sampling(*model, episodes, {.draws = 8, .steps = 2, .budgets = {8}}, 1))
    scores.push_back(s);
  for (const SplitScore& s : evaluate_best_first(*model, episodes, {.search = {.depth = 2}, .calls = {40}}))
    scores.push_back(s);
  ASSERT_EQ(scores.size(), 4u);
  for (const SplitScore& score : scores) {
    EXPECT_EQ(score.self, 0.0) << score.search;
    EXPECT_EQ(score.transfer, 0.0) << score.search;
    EXPECT_EQ(score.pass, 0.0) << score.search;
  }
}

TEST(BestFirst, WithoutTheQueryAsAProbeChoosesTheSameWhateverTheQueryIs) {
  Neo model = testing::grid_theory();
  Episodes episodes = many_moves();
  const auto blind = [&](const Episodes& some) {
    return evaluate_best_first(*model, some,
                               {.search = {.depth = 2, .temperature = 1.0}, .calls = {60}, .choice = {.by = Choice::description, .query = false}})
        .at(0);
  };
  const SplitScore first = blind(episodes);
  EXPECT_EQ(first.transfer, 1.0);
  EXPECT_FALSE(first.query_probe);
  EXPECT_EQ(to_json(first)["query_probe"], false);
  episodes.query_x = torch::randint(0, 9, episodes.query_x.sizes(), torch::kUInt8);
  const SplitScore other = blind(episodes);
  EXPECT_EQ(other.self, first.self);
  EXPECT_EQ(other.mean_length, first.mean_length);
  EXPECT_EQ(other.probe_calls, first.probe_calls);
}

TEST(VectorSampling, TransfersWhatItExplainedAndMoreDrawsExplainMore) {
  Neo model = testing::continuous_theory(/*width=*/16, /*spread=*/0.05);
  Episodes episodes{.name = "random", .space = testing::number_space()};
  torch::manual_seed(6);
  episodes.support_x = torch::randint(0, 10, {64, 6}, torch::kUInt8);
  episodes.support_y = episodes.support_x.clone();
  episodes.support_y.select(1, 5).slice(0, 0, 32).copy_(torch::randint(0, 10, {32}, torch::kUInt8));
  episodes.query_x = episodes.support_x;
  episodes.query_y = episodes.support_y;
  const auto scores = evaluate_vector_sampling(*model, episodes, {1, 8, 64}, /*hard_grounding=*/true, 1);
  ASSERT_EQ(scores.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(*scores[i].transfer, scores[i].self);
    EXPECT_GE(scores[i].self, scores[i > 0 ? i - 1 : 0].self);
    EXPECT_EQ(scores[i].calls, scores[i].budget);
  }
  EXPECT_GT(scores[2].self, 0.0);
  episodes.query_y = 9 - episodes.support_y;
  EXPECT_EQ(evaluate_vector_sampling(*model, episodes, {64}, true, 1)[0].transfer, 0.0);
  EXPECT_EQ(evaluate_vector_sampling(*model, episodes, {64}, true, 1)[0].self, scores[2].self);
}

}  // namespace
}  // namespace neo
