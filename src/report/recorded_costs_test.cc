#include "report/recorded_costs.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/testing.h"
#include "report/training.h"

namespace neo {
namespace {

TEST(RecordedCosts, AreTheMeanOfTrainingAndOfEveryRecordToMake) {
  testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "gridworld");
  const auto record = [&](const char* name, const char* purpose, double evaluation, const char* timing) {
    write_file_atomically(folder / "gridworld" / name,
                          fmt::format(R"({{"cell": {{"preset": "fast", "method": "neo", "ablation": "", "purpose": "{}", "seconds": {}}}{}}})",
                                      purpose, evaluation, timing));
  };
  record("a.json", "", 10, R"(, "timing": {"training": {"seconds": 100}})");
  record("b.json", "", 20, R"(, "timing": {"training": {"seconds": 300}})");
  record("c.json", "temperatures", 5, "");
  write_file_atomically(folder / "gridworld" / "torn.json", "{");
  const RecordedCosts costs({folder / "gridworld", folder / "missing"});
  PlannedRun run{.benchmark = "gridworld", .preset = "fast", .method = "neo", .evaluations = {{.method = "neo"}}};
  EXPECT_EQ(costs.seconds(run), 200 + 15);
  run.evaluations.push_back({.method = "neo", .purpose = "temperatures"});
  EXPECT_EQ(costs.seconds(run), 200 + 15 + 5);
  run.method = "disc-mono";
  EXPECT_EQ(costs.seconds(run), std::nullopt);
}

TEST(LastStep, IsThatOfTheLastWholeRecord) {
  testing::TemporaryFolder folder;
  EXPECT_EQ(last_step(folder / "none"), 0);
  write_file_atomically(folder / "metrics.jsonl", "{\"step\": 1}\n{\"step\": 2}\n{\"epoch\": 1}\n{\"ste");
  EXPECT_EQ(last_step(folder / ""), 2);
}

}  // namespace
}  // namespace neo
