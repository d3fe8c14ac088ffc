#include "report/sweep.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "core/testing.h"
#include "report/cell_state.h"

namespace neo {
namespace {
using nlohmann::json;
using testing::TemporaryFolder;

TEST(Sweep, IsEveryCombinationWithTheLastSettingFastest) {
  EXPECT_EQ(sweep_points({"a=1,2", "b=7", "c=x,y"}),
            (std::vector<std::vector<std::string>>{
                {"a=1", "b=7", "c=x"}, {"a=1", "b=7", "c=y"}, {"a=2", "b=7", "c=x"}, {"a=2", "b=7", "c=y"}}));
}

TEST(Sweep, WithNothingToVaryIsAUsageError) {
  EXPECT_THROW(sweep_points({}), UsageError);
  EXPECT_THROW(sweep_points({"steps=20"}), UsageError);
  EXPECT_THROW(sweep_points({"steps"}), UsageError);
  EXPECT_THROW(plan_sweep({.benchmark = "gridworld", .settings = {"steps=20,20"}}), UsageError);
}

TEST(Sweep, TabulatesMeansOverSeedsAndWhatIsMissing) {
  const SweepRequest request{
      .benchmark = "gridworld", .seeds = {42, 43}, .settings = {"model.quantizer.codes=3,36", "steps=20"}};
  const auto plan = plan_sweep(request);
  ASSERT_EQ(plan.size(), 4u);
  EXPECT_EQ(plan[0].name, "model.quantizer.codes=3-steps=20-seed42");
  TemporaryFolder folder;
  for (int i = 0; i < 2; ++i) {
    const json row{{"name", "id"},
                   {"method", "neo"},
                   {"search", "greedy"},
                   {"episodes", 9},
                   {"transfer", 0.5 + 0.2 * i}};
    const auto path = record_path(folder.path(), plan[i], plan[i].evaluations[0]);
    std::filesystem::create_directories(path.parent_path());
    write_file_atomically(path, json{{"benchmark", "gridworld"},
                                     {"preset", "fast"},
                                     {"alpha", 0.33},
                                     {"seed", 42 + i},
                                     {"splits", {row}},
                                     {"vocabulary", {{"primitiveness", 1.0}}}}
                                    .dump());
  }
  const std::string table = sweep_table(request, folder.path());
  EXPECT_CONTAINS(table, "codes=3 ");
  EXPECT_CONTAINS(table, "0.6000±0.1414");
  EXPECT_CONTAINS(table, "codes=36");
  EXPECT_CONTAINS(table, "missing");
  const json points = sweep_json(request, folder.path()).at("points");
  EXPECT_NEAR(points[0]["transfer"]["id"]["mean"].get<double>(), 0.6, 1e-12);
  EXPECT_TRUE(points[1]["transfer"]["id"].is_null());
}

}  // namespace
}  // namespace neo
