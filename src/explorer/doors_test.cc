// One policy: whatever door a pair comes through, it gets the same program.
#include <gtest/gtest.h>

#include "explorer/explored_theory.h"
#include "neo/evaluation.h"
#include "neo/given_pairs.h"
#include "neo/learn.h"
#include "neo/testing.h"

namespace neo {
namespace {

class Doors : public ::testing::Test {
 protected:
  Doors() {
    testing::write_moves("moves.jsonl");
    learned_ = learn({.sources = {"moves.jsonl"}, .minutes = 0.05, .quiet = true});
  }
  testing::TemporaryFolder folder_;
  const testing::InFolder inside_{folder_.path()};
  LearnResult learned_;
};

TEST_F(Doors, LearnEvalInspectExplainAndServeAnswerTheSame) {
  const Theory theory = Theory::open(learned_.run);
  ExploredTheory served(Theory::open(learned_.run), "served");
  const int64_t pairs = learned_.score.episodes;
  ASSERT_EQ(pairs, 30);  // a tenth of them, held out
  double length = 0, explained = 0;
  for (const GivenPair& given : given_pairs(learned_.data.string() + ":0", pairs, theory)) {
    const Explanation one = theory.explain(given.pair.x, given.pair.y, given.policy, {.alternatives = 0});
    const nlohmann::json answer = served.explain({.x = given.pair.x, .y = given.pair.y});
    EXPECT_EQ(answer["explanation"]["run"]["codes"].get<std::vector<int64_t>>(), one.run.codes) << given.name;
    length += static_cast<double>(one.run.codes.size());
    explained += one.run.explained;
  }
  EvaluationOptions options;
  options.model = learned_.run;
  options.search = "policy";
  const SplitScore eval = evaluate(options).scores.at(0);
  const Inspection inspection = theory.vocabulary(load_evaluation_pairs(learned_.data));
  for (const SplitScore& score : {learned_.score, eval}) {
    EXPECT_DOUBLE_EQ(score.mean_length, length / static_cast<double>(pairs));
    EXPECT_DOUBLE_EQ(score.explained, explained / static_cast<double>(pairs));
    EXPECT_EQ(score.search, "beam");
  }
  EXPECT_DOUBLE_EQ(inspection.mean_length, eval.mean_length);
  EXPECT_DOUBLE_EQ(inspection.self, eval.self);
}

TEST_F(Doors, ARequestThatFailsLeavesThePolicyAlone) {
  ExploredTheory served(Theory::open(learned_.run), "served");
  const Pair pair = Theory::open(learned_.run).info().examples.at(0);
  const ExplainRequest plain{.x = pair.x, .y = pair.y};
  const nlohmann::json before = served.explain(plain);
  ExplainRequest bad = plain;
  bad.steps = 1;
  bad.tolerance = 100.0;
  bad.overrides = {{9, 0}};
  EXPECT_THROW(served.explain(bad), Error);
  EXPECT_EQ(served.explain(plain), before);
}

}  // namespace
}  // namespace neo
