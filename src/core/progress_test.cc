#include "core/progress.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/testing.h"
#include "core/text.h"

namespace neo {
namespace {

const ProgressState kHalf{"making train", 30'000, 60'000, 21'400.0, ""};

TEST(Progress, BarShowsShareCountRateAndTimeLeft) {
  EXPECT_EQ(progress_bar(kHalf, 90),
            "making train ▕██████████████████                  ▏  50%  30,000/60,000  21.4k/s  ETA 0:01");
}

TEST(Progress, BarFitsEveryWidth) {
  ProgressState state = kHalf;
  state.suffix = "loss 0.123 α";
  for (int columns = 1; columns < 200; ++columns) {
    EXPECT_LE(utf8_columns(progress_bar(state, columns)), static_cast<size_t>(columns));
    EXPECT_TRUE(is_utf8(progress_bar(state, columns)));
  }
}

TEST(Progress, UnknownTotalShowsCountAndRateOnly) {
  EXPECT_EQ(progress_bar({"reading", 1'234'567, 0, 12.5, ""}, 80), "reading  1,234,567  12.5/s");
}

TEST(Progress, LineIsPlainText) {
  ProgressState state = kHalf;
  state.rate = 2.0;
  state.suffix = "loss 0.5";
  EXPECT_EQ(progress_line(state), "making train: 30,000/60,000 (50%), 2/s, ETA 4:10:00, loss 0.5");
}

TEST(Progress, OvershootStaysAtHundredPercent) {
  EXPECT_EQ(progress_line({"x", 11, 10, 1.0, ""}), "x: 11/10 (100%), 1/s, ETA 0:00");
}

std::string said_by_loop(ProgressStyle style, std::chrono::milliseconds pause) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress("counting", 1000, style);
    for (int i = 0; i < 1000; ++i) progress.advance(1);
    std::this_thread::sleep_for(pause);
    progress.finish();
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(Progress, ShortLoopsPrintNothingWhereThereIsNoTerminal) {
  EXPECT_EQ(said_by_loop(ProgressStyle::kLines, std::chrono::milliseconds(0)), "");
  EXPECT_CONTAINS(said_by_loop(ProgressStyle::kBar, std::chrono::milliseconds(0)), "counting: 1,000 in ");
}

TEST(Progress, LongerLoopsFinishWithOneLine) {
  const std::string text = said_by_loop(ProgressStyle::kLines, std::chrono::milliseconds(1010));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_CONTAINS(text, "counting: 1,000 in ");
}

TEST(Progress, AListenerHearsOfQuietLoopsAndNothingIsPrinted) {
  std::vector<bool> ends;
  set_progress_listener([&](const ProgressState& state, bool finished) {
    EXPECT_EQ(state.label, "counting");
    ends.push_back(finished);
  });
  ::testing::internal::CaptureStderr();
  {
    Progress progress("counting", 2, ProgressStyle::kSilent);
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
    progress.advance(1);
    progress.finish();
  }
  set_progress_listener({});
  EXPECT_EQ(ends, (std::vector<bool>{false, true}));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, SilentPrintsNothing) {
  ::testing::internal::CaptureStderr();
  {
    Progress progress("counting", 10, ProgressStyle::kSilent);
    progress.advance(10);
    progress.finish();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(progress_style(/*quiet=*/true), ProgressStyle::kSilent);
}

}  // namespace
}  // namespace neo
