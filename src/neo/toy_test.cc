// A benchmark that is one class and a line is trained, evaluated and explained like any other.
#include <gtest/gtest.h>

#include "benchmark/testing.h"
#include "benchmark/toy_benchmark.h"
#include "neo/evaluation.h"
#include "neo/given_pairs.h"
#include "neo/testing.h"
#include "neo/training.h"

namespace neo {
namespace {

TEST(ToyBenchmark, IsTrainedEvaluatedAndExplained) {
  const testing::ToyBenchmark toy;
  const testing::ScopedBenchmark listed(toy);
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  const std::filesystem::path run =
      run_training({.benchmark = "toy", .alpha = 0.5, .steps = 30, .run = "runs/toy", .quiet = true});
  EvaluationOptions options;
  options.model = run;
  const EvaluationResult result = evaluate(options);
  EXPECT_EQ(result.record["benchmark"], "toy");
  EXPECT_EQ(result.vocabulary.primitives, toy.primitives());
  std::vector<std::string> splits;
  for (const SplitScore& score : result.scores)
    if (splits.empty() || splits.back() != score.name) splits.push_back(score.name);
  EXPECT_EQ(splits, (std::vector<std::string>{"id", "comp", "length"}));
  const Theory theory = Theory::open(run);
  const auto given = given_pairs("", 2, theory);
  ASSERT_EQ(given.size(), 2u);
  EXPECT_TRUE(given[0].query);
  const Explanation explanation = theory.explain(given[0].pair.x, given[0].pair.y);
  EXPECT_EQ(explanation.run.trace.size(), explanation.run.codes.size() + 1);
}

}  // namespace
}  // namespace neo
