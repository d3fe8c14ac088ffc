#include "report/reproduction.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "benchmark/testing.h"
#include "benchmark/toy_benchmark.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/testing.h"
#include "report/records.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
using testing::TemporaryFolder;

const std::vector<Method>& two_methods() {
  static const std::vector<Method> list{{"cont-mono", "cont-mono", "Cont-Mono"},
                                        {"cont-mono-opt", "cont-mono", "Cont-Mono-Opt"},
                                        {"neo", "neo", "NEO"}};
  return list;
}

std::vector<std::string> names(const std::vector<PlannedRun>& plan) {
  std::vector<std::string> list;
  for (const PlannedRun& run : plan) list.push_back(run.name);
  return list;
}

class AblatedToy : public testing::ToyBenchmark {
 public:
  std::vector<Ablation> ablations() const override {
    return {{"codes-36", "|E| = 36", "fast-rollout", 0.33, {"a=1"}}};
  }
};

TEST(Plan, IsTheMatrixWithNeoFirstAndThenTheAblations) {
  const AblatedToy toy{};
  const testing::ScopedBenchmark listed(toy);
  const auto plan = plan_runs({.benchmarks = {"toy"}, .seeds = {42}, .alphas = {0.33, 1.0}}, two_methods());
  EXPECT_EQ(plan.back().settings, std::vector<std::string>{"a=1"});
  EXPECT_EQ(names(plan), (std::vector<std::string>{"toy-fast-alpha0.33-seed42", "toy-fast-alpha1.00-seed42",
                                                   "toy-fast-cont-mono-alpha0.33-seed42",
                                                   "toy-fast-cont-mono-alpha1.00-seed42",
                                                   "toy-fast-rollout-alpha0.33-seed42-codes-36"}));
}

TEST(Plan, MethodsThatOnlyEvaluateDifferentlyShareARun) {
  const auto plan = plan_runs({.benchmarks = {"gridworld"},
                               .seeds = {42},
                               .alphas = {0.33},
                               .methods = {"cont-mono", "cont-mono-opt"}},
                              two_methods());
  ASSERT_EQ(plan.size(), 1u);
  ASSERT_EQ(plan[0].evaluations.size(), 2u);
  EXPECT_EQ(plan[0].evaluations[1].name, "gridworld-fast-cont-mono-opt-alpha0.33-seed42");
}

TEST(Plan, ReportedSeedsAreNotThoseThatRecipesAreMadeWith) {
  const auto plan =
      plan_runs({.benchmarks = {"gridworld"}, .alphas = {0.33}, .methods = {"neo"}}, two_methods());
  EXPECT_EQ(names(plan),
            (std::vector<std::string>{"gridworld-fast-alpha0.33-seed101", "gridworld-fast-alpha0.33-seed102",
                                      "gridworld-fast-alpha0.33-seed103", "gridworld-fast-alpha0.33-seed104",
                                      "gridworld-fast-alpha0.33-seed105"}));
  for (uint64_t seed : {42, 43, 44}) EXPECT_TRUE(is_development("gridworld", "fast", seed));
  for (uint64_t seed : planned_seeds("fast")) EXPECT_FALSE(is_development("gridworld", "fast", seed));
  EXPECT_FALSE(is_development("gridworld", "paper", 42));  // the paper's own
  EXPECT_FALSE(is_development("", "grid-fast", 42));
}

TEST(Plan, UnknownMethodOrBenchmarkIsAUsageError) {
  EXPECT_THROW(plan_runs({.benchmarks = {"gridworld"}, .methods = {"neu"}}, two_methods()), UsageError);
  EXPECT_THROW(plan_runs({.benchmarks = {"chess"}}, two_methods()), UsageError);
  EXPECT_THROW(benchmarks_for("chess"), UsageError);
  EXPECT_EQ(benchmarks_for("all"), benchmark_names());
}

TEST(Plan, TemperaturesAreSweptWhereTheBenchmarkAsksForIt) {
  const auto plan = plan_runs(
      {.benchmarks = {"gridworld", "arithmetic"}, .seeds = {42, 43}, .alphas = {0.33}, .methods = {"neo"}},
      two_methods());
  ASSERT_EQ(plan.size(), 4u);
  for (const PlannedRun& run : plan) {
    const bool swept = run.benchmark == "arithmetic" && run.seed == 42;
    ASSERT_EQ(run.evaluations.size(), swept ? 2u : 1u) << run.name;
    if (!swept) continue;
    EXPECT_EQ(run.evaluations[1].name, "arithmetic-fast-alpha0.33-seed42-temperatures");
    EXPECT_EQ(run.evaluations[1].arguments,
              (std::vector<std::string>{"--search", "sample", "--temperature", "0.1,0.3,1,3", "--data",
                                        "data/arithmetic-length/length.h5", "--episodes", "1000"}));
  }
}

TEST(Plan, PicturesHaveOneExampleAndNoSampling) {
  const auto arguments = [](const char* benchmark) {
    return plan_runs({.benchmarks = {benchmark}, .seeds = {42}, .alphas = {0.33}, .methods = {"neo"}},
                     two_methods())
        .at(0)
        .evaluations.at(0)
        .arguments;
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(arguments("imaging"), (Words{"--method", "neo", "--soft", "--examples", "1"}));
  EXPECT_EQ(arguments("gridworld"),
            (Words{"--method", "neo", "--soft", "--search", "all", "--examples", "2"}));
}

TEST(Plan, DurationsReadAsPeopleSayThem) {
  EXPECT_EQ(duration_text(45), "45 s");
  EXPECT_EQ(duration_text(720), "12 min");
  EXPECT_EQ(duration_text(12000), "3 h 20 min");
}

// Stands in for neo: a run takes two calls of `train`, of which the first is cut off.
constexpr const char* kFakeNeo = R"sh(#!/bin/bash
set -e
echo "$@" >> "$(dirname "$0")/calls"
command=$1; shift
while [ $# -gt 0 ]; do case "$1" in --out) out=$2; shift;; --resume) resume=1;; esac; last=$1; shift; done
if [ "$command" = eval ]; then
  run=$(dirname "$out")
  manifest=$(cat "$run/manifest.json")
  case "$run" in *seed42*) transfer=0.8;; *) transfer=0.9;; esac
  row="{\"name\":\"id\",\"method\":\"neo\",\"search\":\"greedy\",\"episodes\":9,\"hard_grounding\":true,\"self\":1,\"transfer\":$transfer}"
  echo "{\"world\":\"gridworld\",\"preset\":\"fast\",\"alpha\":0.33,\"seed\":42,\"splits\":[$row],\"manifest\":$manifest}" > "$out"
  exit 0
fi
mkdir -p "$out"
echo '{"command":[],"version":"1","git_revision":"","data":{"train":"d"},"seed":42,"started":""}' > "$out/manifest.json"
echo "s" > "$out/config.toml"
if [ -z "$resume" ]; then
  echo '{"state":"interrupted","step":5}' > "$out/status"
  echo "cut off" >&2
  exit 3
fi
echo '{"state":"finished","step":10}' > "$out/status"
basename "$out" > "$out/best.safetensors"
)sh";

class FakeRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file_atomically(folder_ / "neo", kFakeNeo);
    chmod((folder_ / "neo").c_str(), 0755);
  }
  Reproduction reproduction(const std::string& settings = "s", const std::vector<uint64_t>& seeds = {42}) {
    ReproductionOptions options{.program = folder_ / "neo",
                                .runs = folder_ / "runs",
                                .results = folder_ / "results",
                                .weights = folder_ / "weights"};
    options.quiet = true;
    return Reproduction(
        plan_runs({.benchmarks = {"gridworld"}, .seeds = seeds, .alphas = {0.33}, .methods = {"neo"}},
                  two_methods()),
        options,
        [=](const PlannedRun&) {
          return Expectation{settings, "d", 10};
        },
        [](const fs::path&) { return std::string("s"); });
  }
  std::string state() { return reproduction().to_json()[0]["state"]; }
  int calls() {
    const std::string text = fs::exists(folder_ / "calls") ? read_file(folder_ / "calls") : "";
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  TemporaryFolder folder_;
  const fs::path record_ = folder_ / "results/gridworld/gridworld-fast-alpha0.33-seed42.json";
};

TEST_F(FakeRuns, FailedRunsAreCountedAndCutOffOnesResumed) {
  EXPECT_EQ(state(), "waiting");
  EXPECT_EQ(reproduction().run(), 1);
  EXPECT_EQ(state(), "cut off");
  EXPECT_EQ(reproduction().run(), 0);
  EXPECT_EQ(state(), "finished");
  EXPECT_CONTAINS(read_file(folder_ / "calls"), "--resume");
  const Record record = read_record(record_);
  EXPECT_EQ(record.name, "gridworld-fast-alpha0.33-seed42");
  EXPECT_EQ(record.method, "neo");
}

TEST_F(FakeRuns, FinishedRunsAreLeftAlone) {
  reproduction().run();
  reproduction().run();
  const int before = calls();
  EXPECT_EQ(reproduction().run(), 0);
  EXPECT_EQ(calls(), before);
}

TEST_F(FakeRuns, RecordMadeForItsSeedAloneCountsBesideOtherSeeds) {
  for (int i = 0; i < 2; ++i) reproduction("s", {43}).run();
  const auto cells = reproduction("s", {42, 43}).to_json();
  EXPECT_EQ(cells[0]["state"], "waiting");
  EXPECT_EQ(cells[1]["state"], "finished");
}

TEST_F(FakeRuns, RunThatAnotherProcessBeganSinceThePlanIsLeftToIt) {
  Reproduction planned = reproduction();
  const RunFolder other = RunFolder::create(folder_ / "runs/gridworld-fast-alpha0.33-seed42", "s", {});
  EXPECT_EQ(planned.run(), 0);
  EXPECT_EQ(calls(), 0);
  EXPECT_TRUE(is_locked(other.path()));
}

TEST_F(FakeRuns, TheSeedThatIsBestOnIdIsShipped) {
  for (int i = 0; i < 2; ++i) reproduction("s", {42, 43}).run();
  EXPECT_EQ(read_file(folder_ / "weights/gridworld-alpha0.33.safetensors"),
            "gridworld-fast-alpha0.33-seed43\n");
}

TEST_F(FakeRuns, RecordOfAnotherTheoryIsMadeAgain) {
  reproduction().run();
  reproduction().run();
  write_file_atomically(folder_ / "runs/gridworld-fast-alpha0.33-seed42/best.safetensors", "others");
  EXPECT_EQ(state(), "trained");
  fs::remove(record_);
  EXPECT_EQ(reproduction().run(), 0);
  EXPECT_TRUE(fs::exists(record_));
}

TEST_F(FakeRuns, OtherSettingsMakeARunOutdatedAndItIsKept) {
  reproduction().run();
  reproduction().run();
  auto changed = reproduction("t");
  EXPECT_EQ(changed.to_json()[0]["state"], "outdated");
  const int before = calls();
  EXPECT_EQ(changed.run(), 0);
  EXPECT_EQ(calls(), before);
}

}  // namespace
}  // namespace neo
