#include "neo/theory.h"

#include <gtest/gtest.h>

#include <set>

#include "benchmark/split_files.h"
#include "core/testing.h"
#include "neo/evaluation.h"
#include "observe/tensors.h"

namespace neo {
namespace {

Theory shipped(const std::string& name) { return Theory::open(NEO_SOURCE_DIR "/weights/" + name + ".safetensors"); }

Pairs samples_for(const Theory& theory, int64_t count) {
  std::vector<Pair> list;
  for (int64_t i = 0; i < count; ++i)
    list.push_back(pairs_of(*theory.benchmark(), theory.benchmark()->sample(1 + i % 3, static_cast<uint64_t>(i)), -1).first);
  return to_pairs("samples", theory.space(), list);
}

// Evaluation, inspection, explanation and a run of the program all go by the theory's policy.
TEST(Theory, EvaluationInspectionAndExplanationAnswerTheSameForTheSamePairs) {
  for (const std::string name : {"gridworld-alpha0.33", "arithmetic-alpha0.33", "imaging-alpha0.66"}) {
    const Theory theory = shipped(name);
    const Pairs pairs = samples_for(theory, 12);
    const SplitScore score = theory.evaluate(pairs);
    const Inspection inspection = theory.vocabulary(pairs, {.inputs = 4, .vocabulary_inputs = 4});
    const Explanations batch = explain_pairs(theory.model(), pairs.x, pairs.y, theory.policy());
    const auto programs = theory.programs(pairs);
    double length = 0, solved = 0;
    for (int64_t i = 0; i < pairs.size(); ++i) {
      const Observation x = to_observation(pairs.x[i]), y = to_observation(pairs.y[i]);
      const Explanation one = theory.explain(x, y, {.alternatives = 0});
      const auto codes = batch.programs.codes[i].narrow(0, 0, batch.programs.lengths[i].item<int64_t>());
      EXPECT_TRUE(torch::equal(torch::tensor(one.run.codes), codes)) << name << " pair " << i;
      EXPECT_EQ(programs[static_cast<size_t>(i)].codes, one.run.codes) << name << " pair " << i;
      // Pixels of a batch and of a single row may round to neighbouring bytes.
      const double rounding = theory.space().is_categorical() ? 0 : 1.0 / 255;
      EXPECT_LE(difference(theory.space(), one.run.trace.back(), to_observation(batch.ends[i])), rounding)
          << name << " pair " << i;
      EXPECT_TRUE(theory.run(one.run.codes, x).trace == one.run.trace) << name << " pair " << i;
      length += static_cast<double>(one.run.codes.size());
      solved += one.run.explained;
    }
    EXPECT_DOUBLE_EQ(score.mean_length, length / 12) << name;
    EXPECT_DOUBLE_EQ(score.explained, solved / 12) << name;
    EXPECT_DOUBLE_EQ(inspection.mean_length, score.mean_length) << name;
    EXPECT_NEAR(inspection.self, score.self, 1e-4) << name;
  }
}

TEST(Theory, CodesWithoutANameInTheFileAreNamedByWhatTheyDo) {
  const Theory theory = shipped("arithmetic-alpha0.33");
  ASSERT_TRUE(theory.info().names.empty());
  const std::set<std::string> names(theory.names().begin(), theory.names().end());
  EXPECT_EQ(names, (std::set<std::string>{"", "*2", "*3", "*5", "*7"}));
}

TEST(Theory, ImagesAreNamedWithoutTheBenchmarksPictures) {
  const Theory theory = shipped("imaging-alpha0.66");
  int64_t named = 0;
  for (const std::string& name : theory.names()) named += !name.empty();
  EXPECT_GE(named, 8);
}

TEST(Theory, APairWithoutAProgramIsSaidToHaveNone) {
  const Theory theory = shipped("arithmetic-alpha0.33");
  Question question{{"pair", theory.view().parse("12"), theory.view().parse("422")}, {}, {{1, 0}}, ""};
  question.queries.push_back({"query", theory.view().parse("7"), {}});
  const ExplainedPair answer = theory.explain(question, theory.policy());
  EXPECT_FALSE(answer.found);
  ASSERT_EQ(answer.overridden_queries.size(), 1u);
  EXPECT_EQ(answer.overridden_queries[0].run.codes, answer.counterfactual->run.codes);
  const auto strips = strips_of(answer, theory.space(), theory.names());
  ASSERT_EQ(strips.size(), 4u);
  EXPECT_CONTAINS(strips[0].title, "no program found; closest is");
  EXPECT_CONTAINS(strips[2].title, "which did not explain its pair");
  EXPECT_CONTAINS(strips[3].title, "with step 1 overridden");
}

TEST(Theory, ACopySavedAndOpenedAgainAnswersAlike) {
  testing::TemporaryFolder folder;
  Theory theory = shipped("arithmetic-alpha0.33");
  theory.set_names({"a", "", "c"});
  theory.copy().save(folder / "again.safetensors");
  const Theory again = Theory::open(folder / "again.safetensors");
  EXPECT_EQ(again.code_title(0), "z0 (a)");
  EXPECT_EQ(again.code_title(1), "z1");
  EXPECT_EQ(again.space(), theory.space());
  const Observation x = theory.view().parse("12"), y = theory.view().parse("420");
  EXPECT_EQ(again.explain(x, y).run.codes, theory.explain(x, y).run.codes);
}

TEST(Policy, ABenchmarksProtocolSetsTheStepsOfASplitButNotOfABaseline) {
  const Benchmark& benchmark = benchmark_named("gridworld");
  Policy policy;
  policy.steps = 6;
  EXPECT_EQ(policy_for(policy, &benchmark, "id").steps, 4);
  EXPECT_EQ(policy_for(policy, &benchmark, "length").steps, 10);
  EXPECT_EQ(policy_for(policy, nullptr, "length").steps, 6);
  policy.steps = 1;
  EXPECT_EQ(policy_for(policy, &benchmark, "length").steps, 1);
}

}  // namespace
}  // namespace neo
