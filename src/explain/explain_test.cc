#include "explain/explain.h"

#include <gtest/gtest.h>

#include <set>

#include "core/testing.h"
#include "explain/length.h"
#include "model/testing.h"
#include "observe/tensors.h"

namespace neo {
namespace {

using testing::grid_theory;
using testing::grid_with;
using testing::image_theory;

TEST(RunProgram, TracesEveryStep) {
  Neo model = grid_theory();
  const ProgramRun run = run_program(*model, grid_with(5, 5), {0, 1, 1}, {});
  EXPECT_EQ(run.trace,
            (std::vector<Observation>{grid_with(5, 5), grid_with(4, 5), grid_with(4, 6), grid_with(4, 7)}));
  EXPECT_TRUE(run.losses.empty());
  EXPECT_FALSE(run.exact);
}

TEST(RunProgram, HasLossesAndAVerdictWhereYIsGiven) {
  Neo model = grid_theory();
  const Observation y = grid_with(4, 6);
  const ProgramRun run = run_program(*model, grid_with(5, 5), {0, 1}, {}, &y);
  ASSERT_EQ(run.losses.size(), 2u);
  EXPECT_LT(run.losses[1], run.losses[0]);
  EXPECT_TRUE(run.exact);
  EXPECT_FALSE(run_program(*model, grid_with(5, 5), {0}, {}, &y).exact);
}

TEST(RunProgram, TheEmptyProgramLeavesXAsItIs) {
  Neo model = grid_theory();
  EXPECT_EQ(run_program(*model, grid_with(5, 5), {}, {}).trace, std::vector<Observation>{grid_with(5, 5)});
}

TEST(RunProgram, WithinTheToleranceYIsExplained) {
  Neo model = grid_theory();
  const Observation y = grid_with(4, 6);
  EXPECT_FALSE(run_program(*model, grid_with(5, 5), {0}, {}, &y).explained);
  const ProgramRun loose = run_program(*model, grid_with(5, 5), {0}, {.tolerance = 1e6}, &y);
  EXPECT_TRUE(loose.explained);
  EXPECT_FALSE(loose.exact);
  EXPECT_FALSE(run_program(*model, grid_with(5, 5), {0}, {.tolerance = 1e6}).explained);  // there is no y
}

TEST(RunProgram, AnExecutorThatLivesLongerGivesTheSame) {
  Neo model = grid_theory();
  const auto executor = make_hard_executor(*model);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(run_program(*model, grid_with(5, 5), {3, 2}, {}, nullptr, executor.get()).trace,
              run_program(*model, grid_with(5, 5), {3, 2}, {}).trace);
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

Policy by_beam() { return {.search = "beam", .temperature = 1.0}; }

TEST(Explain, TheBeamFindsTheShortestExactProgram) {
  Neo model = grid_theory();
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(3, 5), by_beam());
  EXPECT_EQ(e.run.codes, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(e.run.trace.back(), grid_with(3, 5));
  EXPECT_TRUE(e.run.exact);
  ASSERT_EQ(e.lengths.size(), 2u);
  EXPECT_FALSE(e.lengths[0].exact);
  EXPECT_TRUE(e.lengths[1].exact);
  EXPECT_CONTAINS(e.reason, "2 steps give y exactly");
}

TEST(Explain, MassesAreThoseOfDifferentProgramsAndSumToOne) {
  Neo model = grid_theory();
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(4, 6), by_beam(), {.alternatives = 1000});
  double total = e.mass;
  std::set<std::vector<int64_t>> seen{e.run.codes};
  for (const auto& a : e.alternatives) {
    total += a.mass;
    EXPECT_TRUE(seen.insert(a.run.codes).second);
    EXPECT_EQ(a.run.exact, a.run.trace.back() == grid_with(4, 6));
  }
  EXPECT_NEAR(total, 1.0, 1e-6);
  ASSERT_FALSE(e.alternatives.empty());
  EXPECT_TRUE(e.alternatives.front().run.exact);  // right then up, or up then right
}

TEST(Explain, EveryAlternativeDoesWhatItsTraceSays) {
  Neo model = grid_theory();
  const Observation x = grid_with(5, 5), y = grid_with(3, 6);
  const auto alternatives = explain(*model, x, y, by_beam(), {.alternatives = 1000}).alternatives;
  ASSERT_GT(alternatives.size(), 5u);
  for (const auto& a : alternatives) {
    const ProgramRun again = run_program(*model, x, a.run.codes, by_beam(), &y);
    EXPECT_EQ(again.trace, a.run.trace);
    EXPECT_EQ(again.losses, a.run.losses);
  }
}

TEST(Explain, ExactAlternativesComeFirstAndLikelierOnesBeforeOthers) {
  Neo model = grid_theory();
  const auto alternatives =
      explain(*model, grid_with(5, 5), grid_with(4, 6), by_beam(), {.alternatives = 1000}).alternatives;
  for (size_t i = 1; i < alternatives.size(); ++i) {
    const auto &a = alternatives[i - 1], &b = alternatives[i];
    EXPECT_TRUE(a.run.exact > b.run.exact || (a.run.exact == b.run.exact && a.mass >= b.mass));
  }
}

TEST(Explain, TheChosenProgramIsNoWorseThanAnyAlternative) {
  Neo model = grid_theory();
  for (const char* fallback : {"all", "mdl"}) {
    for (const Observation& y : {grid_with(4, 6), grid_with(0, 0), grid_with(5, 8)}) {
      const Policy greedy{.steps = 2, .fallback = fallback, .temperature = 1.0};
      const Explanation e = explain(*model, grid_with(5, 5), y, greedy, {.alternatives = 1000});
      ASSERT_FALSE(e.alternatives.empty());
      for (const auto& a : e.alternatives) {
        EXPECT_TRUE(e.run.explained || !a.run.explained) << fallback;
        EXPECT_TRUE(!a.run.explained || e.run.codes.size() <= a.run.codes.size()) << fallback;
        EXPECT_TRUE(e.run.explained || e.run.losses.back() <= a.run.losses.back()) << fallback;
      }
    }
  }
}

TEST(Explain, TheGreedyProgramIsCutWhereTheRuleSays) {
  Neo model = grid_theory();
  const Policy greedy{.steps = 4};
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(0, 0), greedy, {.alternatives = 0});
  EXPECT_EQ(e.lengths.size(), 4u);
  EXPECT_EQ(e.run.codes.size(), 4u);
  EXPECT_TRUE(e.alternatives.empty());
  EXPECT_EQ(e.run.trace.size(), e.run.codes.size() + 1);
  EXPECT_EQ(e.run.losses.size(), e.run.codes.size());
  EXPECT_LE(e.run.log_probability, 0.0);
}

TEST(Explain, StopsWhereTheToleranceIsMet) {
  Neo model = grid_theory();
  const Policy loose{.tolerance = 1e6};  // any loss will do
  const Explanation e = explain(*model, grid_with(5, 5), grid_with(0, 0), loose, {.alternatives = 0});
  EXPECT_EQ(e.run.codes.size(), 1u);
  EXPECT_EQ(e.lengths.size(), 1u);
  EXPECT_FALSE(e.run.exact);
  EXPECT_TRUE(e.run.explained);
  EXPECT_CONTAINS(e.reason, "tolerance");
}

TEST(Explain, TheSameSeedGivesTheSame) {
  Neo model = grid_theory();
  const auto view = make_view(testing::grid_space());
  const auto record = [&] {
    return to_json(explain(*model, grid_with(5, 5), grid_with(2, 5), {}),
                   [&](ObservationView o) { return view->json(o); });
  };
  EXPECT_EQ(record(), record());
  for (const char* key : {"run", "explained", "mass", "lengths", "reason", "alternatives"})
    EXPECT_TRUE(record().contains(key)) << key;
}

TEST(Explain, AgreesWithWhatEvaluationFindsForThePair) {
  Neo model = grid_theory();
  const Observation x = grid_with(5, 5);
  for (const Observation& y : {grid_with(4, 5), grid_with(3, 6), grid_with(0, 0)}) {
    for (const Policy& policy : {Policy{}, Policy{.lambda = 1.5, .fallback = "mdl"}, by_beam()}) {
      const Explanation e = explain(*model, x, y, policy, {.alternatives = 0});
      const Explanations found =
          explain_pairs(*model, to_rows(model->space(), x), to_rows(model->space(), y), policy);
      const auto length = static_cast<size_t>(found.programs.lengths.item<int64_t>());
      ASSERT_EQ(e.run.codes.size(), length);
      for (size_t k = 0; k < length; ++k)
        EXPECT_EQ(e.run.codes[k], found.programs.codes[0][static_cast<int64_t>(k)].item<int64_t>());
      EXPECT_EQ(e.run.trace.back(), to_observation(found.ends));
      EXPECT_EQ(e.run.exact, found.exact.item<bool>());
      EXPECT_EQ(e.run.explained, found.solved.item<bool>());
      EXPECT_NEAR(e.run.losses.back(), found.losses.item<double>(), 1e-5);
    }
  }
}

TEST(Explain, ImagesAreExplainedWithoutExactMatches) {
  Neo model = image_theory();
  for (const char* search : {"greedy", "beam"}) {
    const Policy policy{.steps = 3, .hard_grounding = false, .search = search};
    const Explanation e = explain(*model, Observation(3072, 100), Observation(3072, 180), policy);
    EXPECT_FALSE(e.run.exact);
    EXPECT_EQ(e.lengths.size(), policy.search == "beam" ? e.run.codes.size() : 3u);
    EXPECT_EQ(e.reason.find("exactly"), std::string::npos) << e.reason;
    EXPECT_EQ(e.run.trace, run_program(*model, Observation(3072, 100), e.run.codes, policy).trace);
  }
}

std::vector<LengthChoice> three_lengths() {
  return {{1, 0.50, 0.50, false}, {2, 0.20, 0.20, false}, {3, 0.19, 0.19, false}};
}

TEST(LengthReason, SaysWhatTheLeastLossWasAndWhatCameNext) {
  const std::string reason = length_reason(three_lengths(), 3, {Fallback::mdl}, true);
  EXPECT_CONTAINS(reason, "no length gives y exactly");
  EXPECT_CONTAINS(reason, "the loss is least after 3 steps: 0.19");
  EXPECT_CONTAINS(reason, "next best 0.2 after 2 steps");
  EXPECT_CONTAINS(length_reason(three_lengths(), 3, {Fallback::mdl, 0.9}, true), "0.9^k loss is least");
}

TEST(LengthReason, AnExactMatchNeedsNoOther) {
  auto lengths = three_lengths();
  lengths[1].exact = lengths[2].exact = true;
  EXPECT_EQ(length_reason(lengths, 2, {}, true), "2 steps give y exactly, fewer do not");
  lengths[0].exact = true;
  EXPECT_EQ(length_reason(lengths, 1, {}, true), "one step gives y exactly");
}

TEST(LengthReason, AToleranceIsSaidToBeMetOrMissed) {
  EXPECT_CONTAINS(length_reason(three_lengths(), 2, {Fallback::mdl, 1.0, 0.3}, true),
                  "at most the tolerance of 0.3");
  const std::string missed = length_reason(three_lengths(), 3, {Fallback::mdl, 1.0, 0.01}, true);
  EXPECT_CONTAINS(missed, "no loss is at most the tolerance of 0.01");
}

TEST(LengthReason, WhereNothingExplainsAllStepsMayBeKept) {
  EXPECT_CONTAINS(length_reason(three_lengths(), 3, {Fallback::all_steps}, true), "all steps are kept");
}

TEST(LengthReason, PixelsAreNotSaidToLackAnExactMatch) {
  EXPECT_EQ(length_reason(three_lengths(), 3, {Fallback::mdl}, false).find("exactly"), std::string::npos);
}

}  // namespace
}  // namespace neo
