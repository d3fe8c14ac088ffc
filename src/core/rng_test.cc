#include "core/rng.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace neo {
namespace {

// Expected values were printed by CPython 3.11's random.Random(1127) and NumPy 1.24's RandomState(1127).

TEST(PythonRandom, DrawsWhatRandbelowDraws) {
  PythonRandom random(1127);
  const std::vector<uint32_t> limits = {1, 2, 3, 10, 1000, 2147483648u, 4294967295u};
  std::vector<uint32_t> drawn;
  for (uint32_t limit : limits) drawn.push_back(random.below(limit));
  EXPECT_EQ(drawn, (std::vector<uint32_t>{0, 0, 1, 1, 183, 1734229744u, 3418269216u}));
}

TEST(PythonRandom, SeedsTheWholeRange) {
  const auto draws = [](uint32_t seed) {
    PythonRandom random(seed);
    std::vector<uint32_t> drawn;
    for (int i = 0; i < 5; ++i) drawn.push_back(random.below(100));
    return drawn;
  };
  EXPECT_EQ(draws(0), (std::vector<uint32_t>{49, 97, 53, 5, 33}));
  EXPECT_EQ(draws(4294967295u), (std::vector<uint32_t>{81, 79, 26, 27, 77}));
}

TEST(PythonRandom, RandintIncludesBothEnds) {
  PythonRandom random(1127);
  std::vector<int64_t> drawn;
  for (int i = 0; i < 8; ++i) drawn.push_back(random.randint(-5, 5));
  EXPECT_EQ(drawn, (std::vector<int64_t>{2, -3, -1, -4, -3, 1, 4, 3}));
}

TEST(PythonRandom, ChoosesAndShufflesAndSamplesAlike) {
  const std::string letters = "abcdefg";
  const std::vector<char> items(letters.begin(), letters.end());
  PythonRandom choosing(1127);
  std::string chosen;
  for (int i = 0; i < 8; ++i) chosen += choosing.choice(items);
  EXPECT_EQ(chosen, "dbcabdge");

  std::vector<int> ten(10);
  std::iota(ten.begin(), ten.end(), 0);
  PythonRandom(1127).shuffle(ten);
  EXPECT_EQ(ten, (std::vector<int>{9, 6, 8, 5, 3, 1, 0, 4, 2, 7}));

  std::vector<int> twenty(20);
  std::iota(twenty.begin(), twenty.end(), 0);
  EXPECT_EQ(PythonRandom(1127).sample(twenty, 7), (std::vector<int>{15, 4, 8, 3, 5, 6, 12}));
}

TEST(PythonRandom, RandomIsBitExactAlsoAfterARefill) {
  PythonRandom random(1127);
  EXPECT_EQ(random.random(), 0.4979404893230115);
  EXPECT_EQ(random.random(), 0.25568629770722584);
  EXPECT_EQ(random.random(), 0.09559200092845932);
  for (int i = 3; i < 1000; ++i) random.random();
  EXPECT_EQ(random.random(), 0.3727556451434245);
}

TEST(NumpyRandom, RandomSampleIsBitExactAlsoAfterARefill) {
  NumpyRandom random(1127);
  EXPECT_EQ(random.random_sample(), 0.03672935755187545);
  EXPECT_EQ(random.random_sample(), 0.6387680860361484);
  EXPECT_EQ(random.random_sample(), 0.11107609271623675);
  for (int i = 3; i < 1000; ++i) random.random_sample();
  EXPECT_EQ(random.random_sample(), 0.22088547060639918);
}

TEST(NumpyRandom, PermutesAndShufflesAlike) {
  EXPECT_EQ(NumpyRandom(1127).permutation(10), (std::vector<int64_t>{9, 4, 0, 6, 8, 3, 1, 2, 5, 7}));
  EXPECT_EQ(NumpyRandom(0).permutation(12), (std::vector<int64_t>{6, 11, 4, 10, 2, 8, 1, 7, 9, 3, 0, 5}));
  std::vector<int64_t> large = NumpyRandom(42).permutation(70000);
  large.resize(5);
  EXPECT_EQ(large, (std::vector<int64_t>{46730, 48393, 41416, 34506, 43725}));
}

TEST(RngStream, IsXoshiro256StarStar) {
  RngStream stream(0, "");
  stream.set_state({1, 2, 3, 4});  // the vector that implementations of the algorithm are checked with
  EXPECT_EQ(stream.next64(), 11520u);
  EXPECT_EQ(stream.next64(), 0u);
  EXPECT_EQ(stream.next64(), 1509978240u);
  EXPECT_EQ(stream.next64(), 1215971899390074240u);
}

TEST(RngStream, SeedingByPurposeNeverChanges) {
  EXPECT_EQ(RngStream(42, "shuffle").next64(), 0xf5a3d967f078c55du);
  EXPECT_EQ(RngStream(42, "shuffle").uniform(), 0.9595313910253678);
  EXPECT_EQ(RngStream(42, "codes").next64(), 0x6a7387254366c674u);
}

TEST(RngStream, ContinuesFromItsState) {
  RngStream stream(1, "a");
  stream.next64();
  RngStream resumed(2, "b");
  resumed.set_state(stream.state());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(resumed.next64(), stream.next64());
}

TEST(RngStream, BelowCoversItsRangeEvenly) {
  RngStream stream(7, "below");
  std::array<int, 5> counts{};
  for (int i = 0; i < 50'000; ++i) ++counts.at(stream.below(5));
  for (int count : counts) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(stream.below(1), 0u);
}

}  // namespace
}  // namespace neo
