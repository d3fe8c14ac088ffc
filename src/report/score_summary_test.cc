#include "report/score_summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/testing.h"
#include "core/text.h"

namespace neo {
namespace {
using nlohmann::json;

json score(const char* split, const char* method, const char* search, int64_t budget, double transfer) {
  return {{"name", split}, {"method", method}, {"search", search}, {"budget", budget}, {"calls", 6 * budget}, {"self", 0.99},
          {"transfer", transfer}, {"pass", transfer}, {"mean_length", 2.3}, {"hard_grounding", true}, {"temperature", 0}};
}

json record() {
  json splits = json::array();
  for (const char* split : {"id", "comp", "length"}) {
    splits.push_back(score(split, "neo", "greedy", 1, 0.9));
    for (int64_t budget : {1, 32, 1024}) splits.push_back(score(split, "neo-s", "sample", budget, 0.5 + 0.0001 * static_cast<double>(budget)));
    splits.push_back(score(split, "neo-s", "beam", 24, 0.8));
    splits.push_back(score(split, "neo-s", "best-first", 16, 0.7));
    splits.back()["query_probe"] = false;
    splits.back()["temperature"] = 0.03;
  }
  return {{"benchmark", "arithmetic"}, {"alpha", 0.33}, {"space", {{"kind", "categorical"}}}, {"splits", splits},
          {"vocabulary", {{"primitives", {"*2"}}, {"primitiveness", 1.0}, {"purity", 1.0}, {"inputs", 1000}}}};
}

void expect_page(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(utf8_columns(line), kPageWidth) << line;
}

TEST(ScoreSummary, HasThreeRowsPerSplitAndTheLargestBudget) {
  const std::string text = score_summary(record(), true);
  expect_page(text);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 3 * 3 + 1);
  EXPECT_CONTAINS(text, "0.6024");
  EXPECT_EQ(text.find("best-first"), std::string::npos);
}

TEST(ScoreSummary, SetsThePublishedFigureBesideABenchmarksOwnSplits) {
  EXPECT_CONTAINS(score_summary(record(), true), "0.905");
  EXPECT_EQ(score_summary(record(), false).find("0.905"), std::string::npos);
}

TEST(ScoreCurve, HasEveryBudgetOnAPage) {
  const std::string text = score_curve(record());
  expect_page(text);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 3 * 6);
}

}  // namespace
}  // namespace neo
