#include "kernels/tile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace neo {
namespace {

constexpr int64_t kImages = 13, kChannels = 5, kStride = 40, kOutStride = 20;

struct Problem {
  std::vector<float> input = noise(kImages * kStride), panel = noise(3 * kChannels * kTileColumns),
                     bias = noise(kTileColumns);
  std::vector<Tap> taps = {{2, 0}, {11, 2 * kChannels* kTileColumns}};
  std::vector<uint16_t> keep = std::vector<uint16_t>(kImages, 0b1010'0110'1111'0001);

  static std::vector<float> noise(int64_t size) {
    static std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(size));
    for (float& value : values) value = normal(generator);
    return values;
  }
  Tile tile(std::vector<float>& output, int columns) const {
    output.assign(kImages * kOutStride, 7.0f);
    return {.input = input.data(),
            .input_stride = kStride,
            .taps = taps,
            .channels = kChannels,
            .panel = panel.data(),
            .bias = bias.data(),
            .output = output.data(),
            .output_stride = kOutStride,
            .columns = columns,
            .bits_stride = 1};
  }
};

class TileTest : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    if (GetParam() == Instructions::avx2 && best_instructions() != Instructions::avx2)
      GTEST_SKIP() << "no AVX2";
  }
};

TEST_P(TileTest, ChannelsMayLieApartAndImagesSideBySide) {
  const Problem problem;
  std::vector<float> output, transposed(problem.input.size()), expected;
  for (int64_t image = 0; image < kImages; ++image)
    for (int64_t k = 0; k < kStride; ++k)
      transposed[static_cast<size_t>(k * kImages + image)] =
          problem.input[static_cast<size_t>(image * kStride + k)];
  run_tile(problem.tile(expected, kTileColumns), kImages, GetParam());
  Tile tile = problem.tile(output, kTileColumns);
  std::vector<Tap> taps = problem.taps;
  for (Tap& tap : taps) tap.input *= kImages;
  tile.input = transposed.data();
  tile.input_stride = 1;
  tile.channel_stride = kImages;
  tile.taps = taps;
  run_tile(tile, kImages, GetParam());
  EXPECT_EQ(output, expected);
}

TEST_P(TileTest, IsTheSumOverTapsAndChannels) {
  const Problem problem;
  for (int columns : {16, 9, 8, 3}) {
    std::vector<float> output;
    run_tile(problem.tile(output, columns), kImages, GetParam());
    for (int64_t image = 0; image < kImages; ++image)
      for (int64_t c = 0; c < kOutStride; ++c) {
        double expected = c < columns ? problem.bias[static_cast<size_t>(c)] : 7.0;  // beyond: untouched
        for (const Tap& tap : problem.taps)
          for (int64_t k = 0; k < kChannels && c < columns; ++k)
            expected += double{problem.input[static_cast<size_t>(image * kStride + tap.input + k)]} *
                        problem.panel[static_cast<size_t>(tap.weight + k * kTileColumns + c)];
        EXPECT_NEAR(output[static_cast<size_t>(image * kOutStride + c)], expected, 1e-5) << image << " " << c;
      }
  }
}

TEST_P(TileTest, AddendsAreAdded) {
  const Problem problem;
  const auto first = Problem::noise(kImages * kTileColumns), second = Problem::noise(kImages * kTileColumns);
  for (int columns : {16, 5}) {
    std::vector<float> plain, sum;
    run_tile(problem.tile(plain, columns), kImages, GetParam());
    Tile tile = problem.tile(sum, columns);
    tile.addends = {first.data(), second.data()};
    run_tile(tile, kImages, GetParam());
    for (int64_t image = 0; image < kImages; ++image)
      for (int64_t c = 0; c < columns; ++c) {
        const auto at = static_cast<size_t>(image * kTileColumns + c);
        EXPECT_NEAR(sum[static_cast<size_t>(image * kOutStride + c)],
                    plain[static_cast<size_t>(image * kOutStride + c)] + first[at] + second[at], 1e-5);
      }
  }
}

TEST_P(TileTest, ReluClipsAndItsBitsSayWhere) {
  const Problem problem;
  std::vector<float> plain, clipped;
  std::vector<uint16_t> positive(kImages);
  run_tile(problem.tile(plain, 16), kImages, GetParam());
  Tile tile = problem.tile(clipped, 16);
  tile.relu = true;
  tile.positive = positive.data();
  run_tile(tile, kImages, GetParam());
  for (size_t i = 0; i < kImages * kOutStride; ++i) {
    const size_t channel = i % kOutStride;
    if (channel >= 16) continue;
    EXPECT_EQ(clipped[i], std::max(0.0f, plain[i]));
    EXPECT_EQ(positive[i / kOutStride] >> channel & 1, plain[i] > 0);
  }
}

TEST_P(TileTest, KeepZeroesTheChannelsWhoseBitIsClear) {
  const Problem problem;
  std::vector<float> plain, masked;
  run_tile(problem.tile(plain, 16), kImages, GetParam());
  Tile tile = problem.tile(masked, 16);
  tile.keep = problem.keep.data();
  run_tile(tile, kImages, GetParam());
  for (size_t i = 0; i < kImages * kOutStride; ++i) {
    const size_t channel = i % kOutStride;
    if (channel >= 16) continue;
    EXPECT_EQ(masked[i], problem.keep[0] >> channel & 1 ? plain[i] : 0.0f);
  }
}

TEST_P(TileTest, ReluLetsNaNThrough) {
  Problem problem;
  problem.bias[3] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> output;
  Tile tile = problem.tile(output, 16);
  tile.relu = true;
  run_tile(tile, kImages, GetParam());
  EXPECT_TRUE(std::isnan(output[3]));
  EXPECT_FALSE(std::isnan(output[4]));
}

INSTANTIATE_TEST_SUITE_P(Kernels, TileTest, testing::Values(Instructions::portable, Instructions::avx2),
                         [](const auto& with) {
                           return with.param == Instructions::avx2 ? "avx2" : "portable";
                         });

}  // namespace
}  // namespace neo
