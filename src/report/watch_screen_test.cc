#include "report/watch_screen.h"

#include <gtest/gtest.h>

#include <sstream>

#include "core/testing.h"
#include "core/text.h"

namespace neo {
namespace {

WatchedRun half_way() {
  WatchedRun run{.name = "runs/mine", .state = "running", .step = 300, .total = 600, .names = {"move_left", "", "up 1"}};
  for (int i = 0; i < 100; ++i) {
    run.summary["loss"].push_back(1.0 / (1 + i));
    run.summary["solved"].push_back(i / 100.0);
  }
  run.summary["usage"] = {{0.25, 0.0, 0.75}};
  return run;
}

TEST(WatchScreen, ShowsLossShareExplainedAndTheCodesInUse) {
  const std::string text = watch_screen(half_way(), 24);
  for (const char* part : {"runs/mine: running, step 300 of 600 (50 %)", "0.0100", "99.0 %", "2 of 3 codes in use", "75.0 %  up 1"})
    EXPECT_CONTAINS(text, part);
  EXPECT_LT(text.find("z2"), text.find("z0"));
  EXPECT_EQ(text.find("z1"), std::string::npos);
}

TEST(WatchScreen, FitsAPageOfEightyByTwentyFour) {
  WatchedRun run = half_way();
  run.summary["usage"] = {std::vector<double>(100, 0.01)};
  run.names.assign(100, std::string(200, 'x'));
  std::istringstream lines(watch_screen(run, 24));
  int rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) EXPECT_LE(utf8_columns(line), kPageWidth) << line;
  EXPECT_LT(rows, 24);
}

TEST(WatchScreen, SaysWhereNothingIsRecordedYet) {
  EXPECT_CONTAINS(watch_screen({.name = "new", .state = "running"}, 24), "no step recorded yet");
}

}  // namespace
}  // namespace neo
