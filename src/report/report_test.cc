#include <gtest/gtest.h>

#include "benchmark/testing.h"
#include "benchmark/toy_benchmark.h"
#include "core/files.h"
#include "core/json_lines.h"
#include "core/run_folder.h"
#include "core/testing.h"
#include "report/markdown.h"
#include "report/page.h"
#include "report/plan.h"
#include "report/training.h"

namespace neo {
namespace {
using nlohmann::json;
using testing::TemporaryFolder;

json split_row(const std::string& split, const std::string& method, double transfer, int64_t budget = 1) {
  return {{"name", split},      {"method", method},     {"search", method == "neo-s" ? "sample" : "greedy"},
          {"budget", budget},   {"calls", 4 * budget},  {"episodes", 5000},
          {"self", transfer},   {"transfer", transfer}, {"hard_grounding", true},
          {"temperature", 0.1}, {"mean_length", 2.0}};
}

json record_of(double alpha, int seed, double transfer) {
  return {{"world", "gridworld"},
          {"preset", "fast"},
          {"alpha", alpha},
          {"seed", seed},
          {"splits",
           {split_row("id", "neo", transfer), split_row("id", "neo-s", 0.5, 1),
            split_row("id", "neo-s", 0.99, 64)}},
          {"vocabulary", {{"primitiveness", 1.0}, {"purity", 1.0}}}};
}

// The planned seeds of GridWorld at alpha 0.33, as they lie in results/.
class Results : public ::testing::Test {
 protected:
  void put(const std::string& name, const json& record) {
    write_file_atomically(folder_ / "gridworld" / (name + ".json"), record.dump());
  }
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "gridworld");
    const std::vector<double> transfer{0.98, 0.985, 0.99, 0.995, 1.00};
    for (int i = 0; i < 5; ++i)
      put(std::string("a") + std::to_string(i), record_of(0.33, 101 + i, transfer.at(i)));
  }
  std::vector<Record> records() const { return collect_records({folder_.path()}); }
  ResultCell cell(const std::string& method, const std::string& split) const {
    const auto tables = result_tables(records(), methods_);
    for (const ResultCell& cell : tables.at(0).cells) {
      if (cell.alpha == 0.33 && cell.method == method && cell.split == split) return cell;
    }
    fail("no such cell");
  }
  struct Folder : TemporaryFolder {
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }
  } folder_;
  const std::vector<Method> methods_{{"disc-mono", "disc-mono", "Disc-Mono"}, {"neo", "neo", "NEO"}};
};

TEST_F(Results, CellsListTheirSeedsAndStandAgainstTheBetterFigure) {
  const ResultCell neo = cell("neo", "id");
  ASSERT_EQ(neo.transfer.seeds.size(), 5u);
  EXPECT_EQ(neo.transfer.seeds[1].seed, 102u);
  EXPECT_EQ(neo.transfer.seeds[1].run, "a1");
  EXPECT_NEAR(neo.transfer.summary.mean, 0.99, 1e-12);
  EXPECT_EQ(neo.paper->value, 0.911);
  EXPECT_EQ(neo.release->value, 0.969);
  EXPECT_EQ(neo.verdict, Verdict::kAhead);
}

TEST_F(Results, SearchStandsWithItsLargestBudget) {
  EXPECT_NEAR(cell("neo-s", "id").transfer.summary.mean, 0.99, 1e-12);
}

TEST_F(Results, CellsWithoutRecordsAreMissing) {
  EXPECT_TRUE(cell("disc-mono", "id").transfer.missing());
  EXPECT_EQ(cell("disc-mono", "id").paper->value, 0.983);
  const std::string text = results_markdown(make_tables(records(), methods_));
  EXPECT_CONTAINS(text, "| 0.33 | Disc-Mono | ID (selection data) | missing |");
}

TEST_F(Results, EveryPlannedCellWithoutRecordIsMissingInEveryPreset) {
  json paper = record_of(0.66, 42, 0.9);
  paper["preset"] = "paper";
  put("paper", paper);
  const auto tables = make_tables(records(), methods_);
  ASSERT_EQ(tables.results.size(), 2u);
  EXPECT_EQ(tables.results[1].preset, "paper");
  // 8 published cells each; of the preset `paper` one seed of three is there.
  const std::string text = results_markdown(tables);
  EXPECT_CONTAINS(text, "| GridWorld | fast | NEO | 1 | 0 | 0 | 7 |");
  EXPECT_CONTAINS(text, "| GridWorld | paper | NEO | 0 | 0 | 0 | 8 |");
  EXPECT_CONTAINS(text, "1 of 3 seeds");
}

TEST_F(Results, OfAPresetThatWasNeverRunSayHowToRunIt) {
  EXPECT_CONTAINS(results_markdown(make_tables(records(), methods_)),
                  "## GridWorld, `paper` preset\n\nNot yet run: `neo reproduce gridworld --preset paper`.");
}

TEST_F(Results, AreNotAheadWhileASeedIsMissing) {
  std::filesystem::remove(folder_ / "gridworld/a3.json");
  EXPECT_FALSE(cell("neo", "id").verdict);
  EXPECT_CONTAINS(results_markdown(make_tables(records(), methods_)),
                  "| GridWorld | fast | NEO | 0 | 0 | 0 | 8 |");
}

TEST_F(Results, OfDevelopmentSeedsAreLabelledAndNeverAhead) {
  for (int i = 0; i < 5; ++i) {
    std::filesystem::remove(folder_ / ("gridworld/a" + std::to_string(i) + ".json"));
    put("d" + std::to_string(i), record_of(0.33, 42 + i, 1.0));
  }
  const auto tables = make_tables(records(), methods_);
  for (const ResultCell& cell : tables.results.at(0).cells) EXPECT_FALSE(cell.verdict);
  const std::string text = results_markdown(tables);
  EXPECT_CONTAINS(text, "| 0.33 | NEO, development seeds | ID (selection data) | 1.0000 ± 0.0000 |");
  EXPECT_CONTAINS(text, "| GridWorld | fast | NEO | 0 | 0 | 0 | 8 |");
  const std::string brief = brief_markdown(tables);
  EXPECT_CONTAINS(brief, "| GridWorld | 0.33 | ID | 1.000 † | 0.969 |");
  EXPECT_CONTAINS(brief, "\n† Development seeds: ");
}

TEST_F(Results, ThatDifferInASettingAreNotSeedsOfTheSame) {
  json changed = record_of(0.33, 106, 0.1);
  changed["manifest"] = {{"command", {"neo", "train", "gridworld", "--set", "steps=20"}}};
  changed["seed"] = 105;
  put("changed", changed);
  EXPECT_EQ(cell("neo", "id").transfer.seeds.size(), 5u);
  EXPECT_CONTAINS(results_markdown(make_tables(records(), methods_)),
                  "| 0.33 | NEO, steps=20 | ID (selection data) | 0.1000 | one seed |");
}

TEST_F(Results, ThatDifferInAnyRecordedSettingAreToldApart) {
  for (int i = 0; i < 5; ++i) {
    json record = record_of(0.33, 101 + i, 0.9);
    record["settings"] = {{"model", {{"codes", i == 4 ? 36 : 6}}}};
    put("a" + std::to_string(i), record);
  }
  const auto all = records();
  EXPECT_EQ(all[0].variant.settings, "");
  EXPECT_EQ(all[4].variant.settings, "model.codes=36");
}

TEST_F(Results, ThatDifferInTheirDataAreToldApart) {
  json record = record_of(0.33, 105, 0.9);
  record["data_digest"] = "0123456789abcdef";
  put("a4", record);
  EXPECT_EQ(records()[4].variant.settings, "data=01234567");
}

TEST_F(Results, OfEqualSeedsAreNotAveraged) {
  put("again", record_of(0.33, 103, 0.9));
  EXPECT_CONTAINS(testing::error_of([&] { make_tables(records(), methods_); }),
                  "a2 and again have the same settings and the same seed, 103");
}

TEST_F(Results, PairedDifferencesAreOfTheSameSeedOnTheSameEpisodes) {
  const std::vector<double> lower{0.97, 0.975, 0.98, 0.98};  // below NEO's by .01, .01, .01, .015
  for (int i = 0; i < 4; ++i) {
    json record = record_of(0.33, 101 + i, 0);
    record["method"] = "disc-mono";
    record["splits"] = json::array({split_row("id", "disc-mono", lower.at(i))});
    if (i == 0) record["splits"][0]["episodes"] = 1000;  // others than NEO's
    put("disc" + std::to_string(i), record);
  }
  const auto rows = paired_rows(records(), methods_);
  const auto row = std::ranges::find(rows, "Disc-Mono", &PairedRow::title);
  ASSERT_NE(row, rows.end());
  const Summary& s = row->splits.at(0).difference;
  EXPECT_EQ(s.count, 3u);
  EXPECT_NEAR(s.mean, -0.035 / 3, 1e-9);
  ASSERT_TRUE(s.interval);
  EXPECT_NEAR(s.interval->low, -0.035 / 3 - 4.30265 * 0.00288675 / 1.7320508, 1e-6);
}

TEST_F(Results, SweepsAndAblationsStayOutOfTheTables) {
  json sweep = record_of(0.33, 105, 0.1);
  sweep["cell"] = {{"purpose", "temperatures"}};
  json ablation = record_of(0.33, 101, 0.2);
  ablation["cell"] = {{"ablation", "no-grounding"}, {"preset", "fast-rollout"}};
  put("d", sweep);
  put("e", ablation);
  EXPECT_EQ(cell("neo", "id").transfer.seeds.size(), 5u);
  const auto rows = ablation_rows(records(), benchmark_named("gridworld"));
  const auto row = std::ranges::find(rows, "no-grounding", &AblationRow::name);
  ASSERT_NE(row, rows.end());
  EXPECT_NEAR(row->splits[0].transfer.summary.mean, 0.2, 1e-12);
  EXPECT_EQ(row->paper_primitiveness, 0.002);
  EXPECT_EQ(std::ranges::count(rows, "no-grounding", &AblationRow::name), 2);  // one per preset, none with hard grounding off
}

TEST_F(Results, BriefTableGoesBetweenItsMarks) {
  const auto readme = folder_ / "README.md";
  write_file_atomically(readme, "before\n<!-- results -->\nold\n<!-- /results -->\nafter\n");
  update_brief(readme, make_tables(records(), methods_));
  const std::string text = read_file(readme);
  EXPECT_TRUE(text.starts_with("before\n<!-- results -->\n| benchmark |"));
  EXPECT_CONTAINS(text, "| GridWorld | 0.33 | ID | **0.990** | 0.969 | **0.990** | 0.977 | missing |");
  EXPECT_TRUE(text.ends_with("|\n<!-- /results -->\nafter\n"));
}

TEST_F(Results, BarsWithinACellDoNotBreakItsTable) {
  json ablation = record_of(0.33, 101, 0.2);
  ablation["cell"] = {{"ablation", "codes-36"}, {"preset", "fast-rollout"}};
  put("e", ablation);
  const auto tables = make_tables(records(), methods_);
  EXPECT_CONTAINS(results_markdown(tables), "| \\|E\\| = 36 | on |");
}

TEST_F(Results, DamagedRecordIsNamed) {
  write_file_atomically(folder_ / "gridworld/bad.json", "{\"world\": 3}");
  EXPECT_CONTAINS(testing::error_of([&] { records(); }), "bad.json is no record");
}

TEST_F(Results, PageHoldsItsDataAndNoScriptCanBreakOut) {
  json record = record_of(0.33, 47, 1.0);
  record["vocabulary"]["primitives"] = {"</script><script>alert(1)"};
  put("f", record);
  const auto all = records();
  const std::string page = report_page(report_data(all, make_tables(all, methods_)));
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_CONTAINS(page, "\\u003c/script>\\u003cscript>alert(1)");
}

TEST_F(Results, AreReadUnderEitherNameOfTheBenchmark) {
  json record = record_of(0.33, 105, 0.97);
  record["benchmark"] = record["world"];
  record.erase("world");
  put("a4", record);
  EXPECT_EQ(cell("neo", "id").transfer.seeds.size(), 5u);
}

TEST_F(Results, OfTrainingWithGroupsHaveARowOfTheirOwn) {
  json record = record_of(0.33, 101, 0.5);
  record["grouped"] = true;
  put("d", record);
  EXPECT_EQ(cell("neo", "id").transfer.seeds.size(), 5u);
  const auto tables = make_tables(records(), methods_);
  const std::string text = results_markdown(tables);
  EXPECT_CONTAINS(text, "| 0.33 | NEO, grouped | ID (selection data) | 0.5000 | one seed |");
  EXPECT_EQ(text.find("| GridWorld | fast | NEO, grouped |"), std::string::npos);  // not of the plan
  EXPECT_EQ(brief_markdown(tables).find("grouped"), std::string::npos);  // there are figures without groups
}

TEST_F(Results, ThatOnlyTrainingWithGroupsGaveSaySoInTheBriefTable) {
  for (int i = 0; i < 5; ++i) {
    json record = record_of(0.33, 101 + i, 0.99);
    record["grouped"] = true;
    put(std::string("a") + std::to_string(i), record);
  }
  EXPECT_CONTAINS(brief_markdown(make_tables(records(), methods_)),
                  "| GridWorld | 0.33 | ID | 0.990 (grouped) |");
}

TEST_F(Results, OfOwnDataHaveATableWithTheirOwnSplits) {
  json record = record_of(0.33, 1, 0.125);
  record.erase("world");
  record.erase("alpha");
  record["preset"] = "learn";
  record["space"] = {{"kind", "real"}, {"layout", "vector"}, {"shape", {7}}};
  record["splits"] = json::array({split_row("held-out.h5", "neo", 0.125)});
  record["splits"][0]["hard_grounding"] = false;
  record["splits"][0]["transfer"] = nullptr;  // no groups
  put("own", record);
  const auto tables = make_tables(records(), methods_);
  ASSERT_EQ(tables.results.size(), 3u);
  ASSERT_EQ(tables.results[2].cells.size(), 1u);
  EXPECT_EQ(tables.results[2].cells[0].self.summary.mean, 0.125);
  const std::string text = results_markdown(tables);
  EXPECT_CONTAINS(text, "## own data, `learn` preset\n\nRoot mean square error");
  EXPECT_CONTAINS(text, "| 1.00 | NEO | held-out.h5 | missing |");
}

TEST(ToyResults, ABenchmarkNeedsNothingHere) {
  const testing::ToyBenchmark toy{};
  const testing::ScopedBenchmark listed(toy);
  TemporaryFolder folder;
  json record = record_of(0.33, 101, 1.0);
  record["benchmark"] = "toy";
  write_file_atomically(folder / "toy.json", record.dump());
  const auto tables = make_tables(collect_records({folder.path()}), methods());
  ASSERT_EQ(tables.results.size(), 1u);
  EXPECT_CONTAINS(results_markdown(tables), "## Toy, `fast` preset");
  EXPECT_CONTAINS(brief_markdown(tables), "| Toy | 0.33 | ID | 1.000 (1 of 5 seeds) | – |");
  EXPECT_EQ(report_data({}, tables)["benchmarks"].back()["title"], "Toy");
  const auto plan =
      plan_runs({.benchmarks = benchmarks_for("all"), .seeds = {42}, .alphas = {0.33}}, methods());
  EXPECT_EQ(plan.back().name, "toy-fast-cont-mono-alpha0.33-seed42");
}

TEST(Primitiveness, ShareShownAloneIsThePapers) {
  TemporaryFolder folder;
  for (const char* world : {"gridworld", "arithmetic", "imaging"}) {
    json record = record_of(0.33, 101, 1.0);
    record["world"] = world;
    write_file_atomically(folder / (std::string(world) + ".json"), record.dump());
  }
  const auto rows = primitiveness_rows(collect_records({folder.path()}), {{"neo", "neo", "NEO"}});
  ASSERT_EQ(rows.size(), 9u);
  const std::vector<double> shown{0.25, 0.75, 1.0, 0.5, 0.75, 1.0, 0.375, 0.625, 1.0};
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].shown, shown[i]) << i;
}

TEST(Training, SummaryAveragesStretchesOfSteps) {
  TemporaryFolder run;
  auto metrics = JsonLinesWriter::create(run / "metrics.jsonl");
  for (int step = 1; step <= 200; ++step) {
    metrics.write({{"step", step},
                   {"loss", 1.0},
                   {"solved", 0.5},
                   {"mean_length", step % 2 ? 1.0 : 3.0},
                   {"perplexity", 2.0},
                   {"usage", {30, 10}}});
  }
  metrics.write({{"step", 200}, {"validation", {{"primitiveness", 0.9}}}});
  const json summary = training_summary(run.path());
  EXPECT_EQ(summary["steps"].size(), 100u);
  EXPECT_EQ(summary["steps"][0], 2);
  EXPECT_EQ(summary["mean_length"][0], 2.0);
  EXPECT_EQ(summary["usage"][0], json({0.75, 0.25}));
  EXPECT_EQ(summary["validation"][0]["step"], 200);
}

TEST(Training, CostOfAResumedRunCountsEveryStepOnce) {
  TemporaryFolder run;
  auto first = JsonLinesWriter::create(run / "timing-from-0.jsonl");
  first.write({{"step", 100}, {"seconds", 10.0}});
  first.write({{"step", 200}, {"seconds", 10.0}});  // lost: the run was resumed at 100
  auto second = JsonLinesWriter::create(run / "timing-from-100.jsonl");
  second.write({{"step", 200}, {"seconds", 30.0}});
  const json cost = training_cost(run.path());
  EXPECT_EQ(cost["steps"], 200);
  EXPECT_EQ(cost["seconds"], 40.0);
}

}  // namespace
}  // namespace neo
