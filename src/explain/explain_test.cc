#include "explain/explain.h"

#include <gtest/gtest.h>

#include <set>

#include "core/testing.h"
#include "explain/length.h"
#include "model/testing.h"

namespace neo {
namespace {

using testing::grid_theory;
using testing::grid_with;
using testing::image_theory;

TEST(RunProgram, TracesEveryStep) {
  Neo model = grid_theory();
  const Theory theory = run_program(*model, grid_with(5, 5), {0, 1, 1}, true);
  EXPECT_EQ(theory.trace,
            (std::vector<Observation>{grid_with(5, 5), grid_with(4, 5), grid_with(4, 6), grid_with(4, 7)}));
  EXPECT_TRUE(theory.losses.empty());
  EXPECT_FALSE(theory.exact);
}

TEST(RunProgram, HasLossesAndAVerdictWhereYIsGiven) {
  Neo model = grid_theory();
  const Observation y = grid_with(4, 6);
  const Theory theory = run_program(*model, grid_with(5, 5), {0, 1}, true, &y);
  ASSERT_EQ(theory.losses.size(), 2u);
  EXPECT_LT(theory.losses[1], theory.losses[0]);
  EXPECT_TRUE(theory.exact);
  EXPECT_FALSE(run_program(*model, grid_with(5, 5), {0}, true, &y).exact);
}

TEST(RunProgram, TheEmptyProgramLeavesXAsItIs) {
  Neo model = grid_theory();
  EXPECT_EQ(run_program(*model, grid_with(5, 5), {}, true).trace, std::vector<Observation>{grid_with(5, 5)});
}

TEST(RunProgram, AnExecutorThatLivesLongerGivesTheSame) {
  Neo model = grid_theory();
  const auto executor = make_hard_executor(*model);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(run_program(*model, grid_with(5, 5), {3, 2}, true, nullptr, executor.get()).trace,
              run_program(*model, grid_with(5, 5), {3, 2}, true).trace);
}

TEST(OverrideSteps, ReplacesCodesAndKeepsTheRest) {
  EXPECT_EQ(override_steps({0, 1, 2}, {{2, 3}}, 4), (std::vector<int64_t>{0, 3, 2}));
  EXPECT_EQ(override_steps({0, 1, 2}, {{1, 3}, {3, 0}}, 4), (std::vector<int64_t>{3, 1, 0}));
}

TEST(OverrideSteps, NamesTheStepOrCodeThatDoesNotExist) {
  EXPECT_CONTAINS(testing::error_of([] { override_steps({0, 1}, {{3, 1}}, 4); }), "step 3");
  EXPECT_CONTAINS(testing::error_of([] { override_steps({0, 1}, {{0, 1}}, 4); }), "step 0");
  EXPECT_CONTAINS(testing::error_of([] { override_steps({0, 1}, {{1, 4}}, 4); }), "z4");
  EXPECT_CONTAINS(testing::error_of([] { override_steps({0, 1}, {{1, -1}}, 4); }), "z-1");
}

ExplainOptions by_beam() {
  ExplainOptions options;
  options.beam = true;
  options.temperature = 1.0;
  return options;
}

TEST(Explain, TheBeamFindsTheShortestExactProgram) {
  Neo model = grid_theory();
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(3, 5), by_beam());
  EXPECT_EQ(e.theory.codes, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(e.theory.trace.back(), grid_with(3, 5));
  EXPECT_TRUE(e.theory.exact);
  ASSERT_EQ(e.lengths.size(), 2u);
  EXPECT_FALSE(e.lengths[0].exact);
  EXPECT_TRUE(e.lengths[1].exact);
  EXPECT_CONTAINS(e.reason, "2 steps give y exactly");
}

TEST(Explain, MassesAreThoseOfDifferentProgramsAndSumToOne) {
  Neo model = grid_theory();
  ExplainOptions options = by_beam();
  options.alternatives = 1000;
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(4, 6), options);
  double total = e.mass;
  std::set<std::vector<int64_t>> seen{e.theory.codes};
  for (const auto& a : e.alternatives) {
    total += a.mass;
    EXPECT_TRUE(seen.insert(a.theory.codes).second);
    EXPECT_EQ(a.theory.exact, a.theory.trace.back() == grid_with(4, 6));
  }
  EXPECT_NEAR(total, 1.0, 1e-6);
  ASSERT_FALSE(e.alternatives.empty());
  EXPECT_TRUE(e.alternatives.front().theory.exact);  // right then up, or up then right
}

TEST(Explain, EveryAlternativeDoesWhatItsTraceSays) {
  Neo model = grid_theory();
  const Observation x = grid_with(5, 5), y = grid_with(3, 6);
  ExplainOptions options = by_beam();
  options.alternatives = 1000;
  const auto alternatives = explain(*model, x, y, options).alternatives;
  ASSERT_GT(alternatives.size(), 5u);
  for (const auto& a : alternatives) {
    const Theory again = run_program(*model, x, a.theory.codes, true, &y);
    EXPECT_EQ(again.trace, a.theory.trace);
    EXPECT_EQ(again.losses, a.theory.losses);
  }
}

TEST(Explain, ExactAlternativesComeFirstAndLikelierOnesBeforeOthers) {
  Neo model = grid_theory();
  ExplainOptions options = by_beam();
  options.alternatives = 1000;
  const auto alternatives = explain(*model, grid_with(5, 5), grid_with(4, 6), options).alternatives;
  for (size_t i = 1; i < alternatives.size(); ++i) {
    const auto &a = alternatives[i - 1], &b = alternatives[i];
    EXPECT_TRUE(a.theory.exact > b.theory.exact || (a.theory.exact == b.theory.exact && a.mass >= b.mass));
  }
}

TEST(Explain, TheGreedyProgramIsCutWhereTheRuleSays) {
  Neo model = grid_theory();
  ExplainOptions options;
  options.alternatives = 0;
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(0, 0), options);
  EXPECT_EQ(e.lengths.size(), 4u);
  EXPECT_EQ(e.theory.trace.size(), e.theory.codes.size() + 1);
  EXPECT_EQ(e.theory.losses.size(), e.theory.codes.size());
  EXPECT_LE(e.theory.log_probability, 0.0);
}

TEST(Explain, StopsAtEpsilon) {
  Neo model = grid_theory();
  ExplainOptions options;
  options.alternatives = 0;
  options.epsilon = 1e6;  // any loss will do
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(0, 0), options);
  EXPECT_EQ(e.theory.codes.size(), 1u);
  EXPECT_EQ(e.lengths.size(), 1u);
  EXPECT_CONTAINS(e.reason, "epsilon");
}

TEST(Explain, TheSameSeedGivesTheSame) {
  Neo model = grid_theory();
  const auto record = [&] { return to_json(explain(*model, grid_with(5, 5), grid_with(2, 5), {})); };
  EXPECT_EQ(record(), record());
}

TEST(Explain, ImagesAreExplainedWithoutExactMatches) {
  Neo model = image_theory();
  ExplainOptions options;
  options.hard_grounding = false;
  options.steps = 3;
  for (bool beam : {false, true}) {
    options.beam = beam;
    const Explanation e = explain(*model, Observation(3072, 100), Observation(3072, 180), options);
    EXPECT_FALSE(e.theory.exact);
    EXPECT_EQ(e.lengths.size(), 3u);
    EXPECT_EQ(e.reason.find("exactly"), std::string::npos) << e.reason;
    EXPECT_EQ(e.theory.trace, run_program(*model, Observation(3072, 100), e.theory.codes, false).trace);
  }
}

std::vector<LengthChoice> three_lengths() {
  return {{1, 0.50, 0.50, false}, {2, 0.20, 0.20, false}, {3, 0.19, 0.19, false}};
}

TEST(ChooseLength, TakesTheLeastWeighedLossWithoutAnExactMatch) {
  const ChosenLength chosen = choose_length(three_lengths(), {});
  EXPECT_EQ(chosen.length, 3);
  EXPECT_CONTAINS(chosen.reason, "no length gives y exactly");
  EXPECT_CONTAINS(chosen.reason, "next best 0.2 after 2 steps");
}

TEST(ChooseLength, PrefersTheFirstExactMatch) {
  auto lengths = three_lengths();
  lengths[1].exact = lengths[2].exact = true;
  EXPECT_EQ(choose_length(lengths, {}).length, 2);
}

TEST(ChooseLength, EpsilonComesFirstAndIsSaidToBeMissed) {
  EXPECT_EQ(choose_length(three_lengths(), {.epsilon = 0.3}).length, 2);
  const ChosenLength missed = choose_length(three_lengths(), {.epsilon = 0.01});
  EXPECT_EQ(missed.length, 3);
  EXPECT_CONTAINS(missed.reason, "no loss is at most epsilon = 0.01");
}

TEST(ChooseLength, PixelsAreNotSaidToLackAnExactMatch) {
  EXPECT_EQ(choose_length(three_lengths(), {.matches = false}).reason.find("exactly"), std::string::npos);
}

}  // namespace
}  // namespace neo
