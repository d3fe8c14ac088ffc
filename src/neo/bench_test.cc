#include <gtest/gtest.h>

#include <sstream>

#include "core/testing.h"
#include "core/text.h"
#include "neo/growth.h"
#include "neo/peak.h"
#include "neo/timing.h"

namespace neo {
namespace {

void expect_fits_a_page(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(utf8_columns(line), kPageWidth) << line;
}

TimingRecord a_record(const std::string& item) {
  TimingRecord record{.instructions = "avx512", .threads = 2, .peak = 200};
  record.measured.benchmark = "arithmetic";
  record.measured.item = item;
  record.timing = {.median = 2.5, .best = 2, .pairs = item == "train" ? 256 : 0, .products = 1e8};
  return record;
}

TEST(Bench, ShareOfPeakComparesTheBestTimeWithTheProductsNeeded) {
  EXPECT_DOUBLE_EQ(a_record("train").share_of_peak(), 0.25);  // 1e8 in 2 ms, where 4e8 fit
}

TEST(Bench, JsonNamesTheUnitOfTime) {
  const auto step = to_json(a_record("train")), episode = to_json(a_record("search"));
  EXPECT_EQ(step["ms_per_step"], 2.5);
  EXPECT_EQ(step["best_ms_per_step"], 2);
  EXPECT_EQ(step["pairs"], 256);
  EXPECT_EQ(episode["best_ms_per_episode"], 2);
  EXPECT_FALSE(episode.contains("pairs"));
  EXPECT_EQ(episode["share_of_peak"], 0.25);
}

TEST(Bench, TableFitsAPage) {
  const std::string text = table(a_record("train"));
  expect_fits_a_page(text);
  EXPECT_CONTAINS(text, "25 %");
  EXPECT_CONTAINS(text, "ms per step");
  expect_fits_a_page(table(a_record("search")));
}

TEST(Bench, PeaksHaveAColumnForEachNumberOfThreads) {
  const Peaks peaks{.threads = {1, 256},
                    .forms = {{"portable", {17, 1700.25}}, {"avx2", {50, 5000}}},
                    .memory_bytes = {8.75, 20}};
  EXPECT_EQ(table(peaks),
            "                                1 thread  256 threads\n"
            "portable  multiply-adds per ns      17.0       1700.2\n"
            "avx2      multiply-adds per ns      50.0       5000.0\n"
            "memory    bytes read per ns          8.8         20.0\n");
  const auto lines = to_json(peaks);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[3], (nlohmann::json{{"instructions", "portable"}, {"threads", 256}, {"multiply_adds_per_ns", 1700.25}}));
  EXPECT_EQ(lines[5]["memory_bytes_per_ns"], 20);
}

GrowthPoint a_point(int64_t size, double explain) {
  return {.what = "length", .size = size, .work = 2, .fit = 0.123, .train = 1.5, .explain = explain, .kilobytes = 1234};
}

TEST(Growth, SizesAtMostDoubleAndEverySeriesBeginsAnew) {
  std::string series;
  int64_t before = 0;
  for (const GrowthCase& of : growth_cases()) {
    if (of.what == series) {
      EXPECT_GT(of.size, before);
      EXPECT_LE(of.size, 2 * before);
    } else {
      EXPECT_EQ(of.work, 1);
    }
    series = of.what;
    before = of.size;
  }
}

TEST(Growth, TableFitsAPageAndTellsWhatGrewFasterThanItsWork) {
  const std::vector<GrowthPoint> points{a_point(4, 100), a_point(8, 200), a_point(16, 1234.5)};
  const std::string text = table(points);
  expect_fits_a_page(text);
  EXPECT_CONTAINS(text, "x6.2");
  const auto found = faster_than_work(points);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_CONTAINS(found[0], "explain of length 16");
}

TEST(Growth, TheFirstOfASeriesIsComparedWithNothing) {
  GrowthPoint first = a_point(32, 1e6);
  first.what = "image";
  EXPECT_EQ(faster_than_work({a_point(4, 1), first}).size(), 0u);
}

TEST(Growth, MeasuresTheSmallestCaseOfASeries) {
  GrowthCase small = growth_cases().front();
  small.pairs = small.batch = 4;
  small.space.shape = {4, 4};
  const GrowthPoint point = measure_growth(small);
  EXPECT_GT(point.train, 0);
  EXPECT_GT(point.explain, 0);
  EXPECT_EQ(to_json(point)["what"], "pairs");
}

}  // namespace
}  // namespace neo
