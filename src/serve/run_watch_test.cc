#include "serve/run_watch.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/testing.h"

namespace neo {
namespace {
using nlohmann::json;

class RunWatchTest : public ::testing::Test {
 protected:
  void append(const std::string& text) { std::ofstream(folder_ / "metrics.jsonl", std::ios::app) << text; }
  std::string line(int step) { return "{\"step\": " + std::to_string(step) + ", \"loss\": 2.0, \"solved\": 0.5}\n"; }
  testing::TemporaryFolder folder_;
  RunWatch watch_{folder_.path()};
};

TEST_F(RunWatchTest, NothingIsSeenBeforeThereIsAnything) {
  watch_.look();
  EXPECT_EQ(watch_.step(), 0);
  EXPECT_EQ(watch_.curve(10), json::array());
}

TEST_F(RunWatchTest, ALineThatIsBeingWrittenIsReadWhenItIsComplete) {
  append(line(1) + line(2).substr(0, 10));
  watch_.look();
  EXPECT_EQ(watch_.step(), 1);
  append(line(2).substr(10) + "{\"epoch\": 1, \"step\": 2, \"loss\": 9, \"solved\": 0}\nnonsense\n");
  watch_.look();
  EXPECT_EQ(watch_.curve(10), json({{1, 2.0, 0.5}, {2, 2.0, 0.5}}));
}

TEST_F(RunWatchTest, ACurveIsThinnedButKeepsItsLastStep) {
  for (int step = 1; step <= 100; ++step) append(line(step));
  watch_.look();
  const json curve = watch_.curve(10);
  EXPECT_LE(curve.size(), 10U);
  EXPECT_EQ(curve.back()[0], 100);
}

TEST_F(RunWatchTest, ResumingDropsStepsThatAreTakenAgain) {
  append(line(1) + line(2) + line(3));
  watch_.look();
  std::filesystem::remove(folder_ / "metrics.jsonl");
  append(line(1));
  watch_.look();
  append(line(2));
  watch_.look();
  EXPECT_EQ(watch_.step(), 2);
  EXPECT_EQ(watch_.curve(10).size(), 2U);
}

}  // namespace
}  // namespace neo
