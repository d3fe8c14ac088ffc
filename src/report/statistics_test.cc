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

// As in every printed table of Student's distribution.
TEST(Statistics, StudentQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 3), 3.182, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 30), 2.042, 5e-4);
  EXPECT_NEAR(student_quantile(0.99, 4), 4.604, 5e-4);
  EXPECT_NEAR(student_quantile(0.95, 100000), 1.960, 5e-4);
}

TEST(Statistics, IntervalOfThreeSeedsReachesFarBeyondThem) {
  // 0.92 -+ 4.3027 * 0.02 / sqrt(3)
  const Summary s = summarize({0.90, 0.94, 0.92});
  ASSERT_TRUE(s.interval);
  EXPECT_NEAR(s.interval->low, 0.87032, 1e-5);
  EXPECT_NEAR(s.interval->high, 0.96968, 1e-5);
}

TEST(Statistics, IntervalOfFiveSeeds) {
  // mean 3, deviation sqrt(2.5); 3 -+ 2.7764 * 1.58114 / sqrt(5)
  const Summary s = summarize({1, 2, 3, 4, 5});
  ASSERT_TRUE(s.interval);
  EXPECT_NEAR(s.interval->low, 1.03676, 1e-5);
  EXPECT_NEAR(s.interval->high, 4.96324, 1e-5);
}

TEST(Statistics, OneSeedHasNoInterval) {
  const Summary s = summarize({0.5});
  EXPECT_EQ(s.mean, 0.5);
  EXPECT_FALSE(s.interval);
  EXPECT_EQ(s.deviation, 0.0);
}

TEST(Statistics, OneSeedIsNeitherAheadNorBehind) {
  EXPECT_EQ(compare_with(summarize({0.99}), {.value = 0.50}, false), Verdict::kEqual);
  EXPECT_EQ(compare_with(summarize({0.01}), {.value = 0.50}, false), Verdict::kEqual);
}

TEST(Statistics, VerdictNeedsTheWholeInterval) {
  const Published published{.value = 0.92, .rounding = 0.001};
  EXPECT_EQ(compare_with(summarize({0.95, 0.96, 0.97}), published, false), Verdict::kAhead);   // from 0.9352
  EXPECT_EQ(compare_with(summarize({0.93, 0.95, 0.97}), published, false), Verdict::kEqual);   // from 0.9003
  EXPECT_EQ(compare_with(summarize({0.80, 0.81, 0.82}), published, false), Verdict::kBehind);  // up to 0.8348
}

TEST(Statistics, VerdictTurnsRoundWhereLessIsBetter) {
  const Published published{.value = 0.07, .rounding = 0.01};
  EXPECT_EQ(compare_with(summarize({0.050, 0.051, 0.052}), published, true), Verdict::kAhead);
  EXPECT_EQ(compare_with(summarize({0.090, 0.091, 0.092}), published, true), Verdict::kBehind);
}

TEST(Statistics, WhatRoundingHidesIsEqual) {
  EXPECT_EQ(compare_with(summarize({0.0659, 0.066, 0.0661}), {.value = 0.07, .rounding = 0.01}, true),
            Verdict::kEqual);
}

}  // namespace
}  // namespace neo
