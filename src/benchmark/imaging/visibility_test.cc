#include "benchmark/imaging/visibility.h"

#include <gtest/gtest.h>

#include <set>

#include "benchmark/imaging/imaging.h"
#include "benchmark/imaging/testing.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr size_t kBytes = 32 * 32 * 3;

// `pixels` pixels changed by `gap` in every channel, the rest of the image by 100.
bool visible_with(int base, int gap, int pixels) {
  Observation before(kBytes, static_cast<uint8_t>(base));
  Observation after(kBytes, static_cast<uint8_t>(base >= 128 ? base - 100 : base + 100));
  std::fill_n(after.begin(), pixels * 3, static_cast<uint8_t>(base + gap));
  return visibly_different(before, after);
}

TEST(Visibility, NeedsMoreThanAFifthOfThePixelsToChange) {
  EXPECT_TRUE(visible_with(0, 14, 793));   // 77.44 % unchanged
  EXPECT_FALSE(visible_with(0, 14, 794));  // 77.54 %
  EXPECT_TRUE(visible_with(0, 16, 900));
}

TEST(Visibility, NeedsAMeanSquareChange) {
  const Observation black(kBytes, 0);
  EXPECT_FALSE(visibly_different(black, black));
  EXPECT_FALSE(
      visibly_different(black, Observation(kBytes, 18)));  // all pixels change, by (18/255)^2 = 0.00498
  EXPECT_TRUE(visibly_different(black, Observation(kBytes, 19)));
}

TEST(Visibility, OneChannelAloneChangesAPixel) {
  Observation after(kBytes, 0);
  for (size_t i = 0; i < kBytes; i += 3) after[i] = 40;
  EXPECT_TRUE(visibly_different(Observation(kBytes, 0), after));
}

TEST(Visibility, ADifferenceOfExactlyFifteenIsSmallWhereFloatRoundingMakesItSo) {
  // What NumPy answers for |float32((a+15)/255) - float32(a/255)| < float32(15/255), a = 0..95.
  std::set<int> small{16};
  for (int a = 32; a <= 48; ++a) small.insert(a);
  for (int a = 64; a <= 95; ++a) small.insert(a);
  for (int a = 0; a < 96; ++a) EXPECT_EQ(visible_with(a, 15, 794), !small.contains(a)) << a;
}

// Squared differences that sum to exactly 0.005 * 255^2 * 3072; NumPy's float32 rounding decides.
bool visible_at_the_bound(int seed, int factor, int modulus, int offset) {
  Observation before(kBytes);
  Observation after(kBytes);
  for (int i = 0; i < static_cast<int>(kBytes); ++i) {
    before[i] = static_cast<uint8_t>((i * factor + seed * 13) % modulus + offset);
    after[i] = static_cast<uint8_t>(before[i] + ((i + seed) % 512 == 0 ? 30 : 18));
  }
  return visibly_different(before, after);
}

TEST(Visibility, AMeanSquareAtTheBoundRoundsAsInNumPy) {
  for (int seed = 0; seed < 32; ++seed) {
    EXPECT_TRUE(visible_at_the_bound(seed, 7, 200, 0)) << seed;
    EXPECT_FALSE(visible_at_the_bound(seed, 1, 32, 190)) << seed;
  }
}

TEST(Visibility, TheShortcutInIntegersNeverDisagreesWithFloat) {
  RngStream rng(3, "visibility");
  int visible = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    // Around both bounds: some 190 pixels change by about 33, the others by less than 15, or now and then
    // by 15.
    const uint64_t changed = 150 + rng.below(80);
    const uint64_t level = 28 + rng.below(8);
    Observation before(kBytes);
    Observation after(kBytes);
    for (size_t i = 0; i < kBytes; ++i) {
      const uint64_t gap = i / 3 < changed      ? level + rng.below(5)
                           : rng.below(40) == 0 ? 15
                                                : 8 + rng.below(7);
      before[i] = static_cast<uint8_t>(rng.below(200));
      after[i] = static_cast<uint8_t>(before[i] + gap);
    }
    const bool expected = internal::visibly_different_in_float(before, after);
    ASSERT_EQ(visibly_different(before, after), expected) << trial;
    visible += expected;
  }
  EXPECT_GT(visible, 300);
  EXPECT_LT(visible, 2700);
}

TEST(VisibleRun, RefusesAProgramWhoseStepsUndoEachOther) {
  RngStream rng(4, "visible run");
  const Observation image = testing::random_image(rng);
  const int flip = static_cast<int>(Edit::kHorizontalFlip);
  VisibleRun run;
  EXPECT_TRUE(run.run({flip}, image));
  EXPECT_FALSE(run.run({flip, flip}, image));
}

TEST(VisibleRun, GivesWhatTheWorldGives) {
  RngStream rng(5, "visible run");
  const Observation image = testing::random_image(rng);
  VisibleRun run;
  for (int edit = 0; edit < kEdits; ++edit) {
    const Program program{edit, static_cast<int>(Edit::kRotation)};
    ASSERT_TRUE(run.run(program, image) || edit == static_cast<int>(Edit::kMasking));
    EXPECT_EQ(run.output(), imaging().run(program, image));
  }
}

}  // namespace
}  // namespace neo
