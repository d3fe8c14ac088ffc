#include "report/statistics.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Statistics, MeanAndSampleDeviationOfThreeSeeds) {
  const Summary s = summarize({0.90, 0.94, 0.92});
  EXPECT_EQ(s.count, 3u);
  EXPECT_NEAR(s.mean, 0.92, 1e-12);
  EXPECT_NEAR(s.deviation, 0.02, 1e-12);
}

TEST(Statistics, BootstrapOfThreeSeedsReachesFromTheLeastToTheLargest) {
  // One resample in 27 is three times the same value: more than 2.5 % at either end.
  const Summary s = summarize({0.90, 0.94, 0.92});
  EXPECT_NEAR(s.low, 0.90, 1e-12);
  EXPECT_NEAR(s.high, 0.94, 1e-12);
}

TEST(Statistics, BootstrapNarrowsWithTheRootOfTheCount) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i % 2);
  const Summary s = summarize(values);
  EXPECT_NEAR(s.low, 0.40, 0.021);  // 0.5 -+ 1.96 * 0.05
  EXPECT_NEAR(s.high, 0.60, 0.021);
}

TEST(Statistics, SameValuesGiveTheSameInterval) {
  const std::vector<double> values{0.1, 0.5, 0.7, 0.9};
  EXPECT_EQ(summarize(values).low, summarize(values).low);
  EXPECT_EQ(summarize(values).high, summarize(values).high);
}

TEST(Statistics, OneSeedIsItsOwnInterval) {
  const Summary s = summarize({0.5});
  EXPECT_EQ(s.low, 0.5);
  EXPECT_EQ(s.high, 0.5);
  EXPECT_EQ(s.deviation, 0.0);
}

TEST(Statistics, VerdictNeedsTheWholeInterval) {
  const Published published{.value = 0.92, .rounding = 0.001};
  EXPECT_EQ(compare_with(summarize({0.95, 0.96, 0.97}), published, false), Verdict::kAhead);
  EXPECT_EQ(compare_with(summarize({0.91, 0.96, 0.97}), published, false), Verdict::kEqual);
  EXPECT_EQ(compare_with(summarize({0.80, 0.81, 0.82}), published, false), Verdict::kBehind);
}

TEST(Statistics, VerdictTurnsRoundWhereLessIsBetter) {
  const Published published{.value = 0.07, .rounding = 0.01};
  EXPECT_EQ(compare_with(summarize({0.05, 0.05, 0.06}), published, true), Verdict::kAhead);
  EXPECT_EQ(compare_with(summarize({0.09, 0.10, 0.10}), published, true), Verdict::kBehind);
}

TEST(Statistics, WhatRoundingHidesIsEqual) {
  EXPECT_EQ(compare_with(summarize({0.066}), {.value = 0.07, .rounding = 0.01}, true), Verdict::kEqual);
}

}  // namespace
}  // namespace neo
