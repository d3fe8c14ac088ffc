#include <gtest/gtest.h>

#include <sstream>

#include "core/testing.h"
#include "core/text.h"
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

}  // namespace
}  // namespace neo
