#include "kernels/tile.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/testing.h"

namespace neo {
namespace {

constexpr int64_t kImages = 13, kStride = 40, kOutStride = 44, kPanels = 3;

struct Problem {
  explicit Problem(int64_t of_channels = 5) : channels(of_channels) {}

  int64_t channels;
  std::vector<float> input = noise(kImages * kStride), panel = noise(kPanels * panel_size()),
                     bias = noise(kPanels * kTileColumns);
  std::vector<Tap> taps = {{2, 0}, {11, static_cast<int32_t>(2 * channels * kTileColumns)}};
  std::vector<uint16_t> keep = std::vector<uint16_t>(kImages * kPanels, 0b1010'0110'1111'0001);

  int64_t panel_size() const { return 3 * channels * kTileColumns; }
  static std::vector<float> noise(int64_t size) {
    static std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(size));
    for (float& value : values) value = normal(generator);
    return values;
  }
  Tile tile(std::vector<float>& output, int64_t columns) const {
    output.assign(kImages * kOutStride, 7.0f);
    return {.input = input.data(),
            .input_stride = kStride,
            .taps = taps,
            .channels = channels,
            .panel = panel.data(),
            .panel_stride = panel_size(),
            .bias = bias.data(),
            .output = output.data(),
            .output_stride = kOutStride,
            .columns = columns,
            .bits_stride = kPanels};
  }
  // What channel c of an image should be.
  double expected(int64_t image, int64_t c) const {
    const int64_t column = c / kTileColumns * panel_size() + c % kTileColumns;
    double sum = bias[static_cast<size_t>(c)];
    for (const Tap& tap : taps)
      for (int64_t k = 0; k < channels; ++k)
        sum += double{input[static_cast<size_t>(image * kStride + tap.input + k)]} *
               panel[static_cast<size_t>(tap.weight + k * kTileColumns + column)];
    return sum;
  }
};

class TileTest : public EveryForm {};

TEST_P(TileTest, ChannelsMayLieApartAndImagesSideBySide) {
  const Problem problem;
  std::vector<float> output, transposed(problem.input.size()), expected;
  for (int64_t image = 0; image < kImages; ++image)
    for (int64_t k = 0; k < kStride; ++k)
      transposed[static_cast<size_t>(k * kImages + image)] =
          problem.input[static_cast<size_t>(image * kStride + k)];
  run_tile(problem.tile(expected, kTileColumns), kImages);
  Tile tile = problem.tile(output, kTileColumns);
  std::vector<Tap> taps = problem.taps;
  for (Tap& tap : taps) tap.input *= kImages;
  tile.input = transposed.data();
  tile.input_stride = 1;
  tile.channel_stride = kImages;
  tile.taps = taps;
  run_tile(tile, kImages);
  EXPECT_EQ(output, expected);
}

TEST_P(TileTest, IsTheSumOverTapsAndChannels) {
  for (const int64_t channels : {5, 6}) {
    const Problem problem(channels);
    for (const int64_t columns : {40, 32, 24, 17, 16, 9, 8, 3}) {
      SCOPED_TRACE(testing::Message() << channels << " channels, " << columns << " columns");
      std::vector<float> output;
      run_tile(problem.tile(output, columns), kImages);
      for (int64_t image = 0; image < kImages; ++image)
        for (int64_t c = 0; c < kOutStride; ++c)
          EXPECT_NEAR(output[static_cast<size_t>(image * kOutStride + c)],
                      c < columns ? problem.expected(image, c) : 7.0, 1e-5)  // beyond: untouched
              << image << " " << c;
    }
  }
}

TEST_P(TileTest, DoesNotDependOnTheOtherImages) {
  const Problem problem(6);
  for (const int64_t columns : {40, 8}) {
    std::vector<float> all, one;
    run_tile(problem.tile(all, columns), kImages);
    for (int64_t image = 0; image < kImages; ++image) {
      Tile tile = problem.tile(one, columns);
      tile.input += image * kStride;
      run_tile(tile, 1);
      for (int64_t c = 0; c < columns; ++c)
        EXPECT_EQ(one[static_cast<size_t>(c)], all[static_cast<size_t>(image * kOutStride + c)]);
    }
  }
}

TEST_P(TileTest, AddendsAreAdded) {
  constexpr int64_t kAddends = kPanels * kTileColumns;
  const auto first = Problem::noise(kImages * kAddends), second = Problem::noise(kImages * kAddends);
  const Problem problem(6);
  for (const int64_t columns : {40, 16, 5}) {
    std::vector<float> output;
    Tile tile = problem.tile(output, columns);
    tile.addends = {first.data(), second.data()};
    tile.addend_stride = kAddends;
    run_tile(tile, kImages);
    for (int64_t image = 0; image < kImages; ++image)
      for (int64_t c = 0; c < columns; ++c) {
        const auto at = static_cast<size_t>(image * kAddends + c);
        EXPECT_NEAR(output[static_cast<size_t>(image * kOutStride + c)],
                    problem.expected(image, c) + first[at] + second[at], 1e-5);
      }
  }
}

TEST_P(TileTest, ReluClipsAndItsBitsSayWhere) {
  const Problem problem(6);
  for (const int64_t columns : {40, 16, 7}) {
    std::vector<float> plain, clipped;
    std::vector<uint16_t> positive(kImages * kPanels);
    run_tile(problem.tile(plain, columns), kImages);
    Tile tile = problem.tile(clipped, columns);
    tile.relu = true;
    tile.positive = positive.data();
    run_tile(tile, kImages);
    for (int64_t image = 0; image < kImages; ++image)
      for (int64_t c = 0; c < columns; ++c) {
        const auto at = static_cast<size_t>(image * kOutStride + c);
        EXPECT_EQ(clipped[at], std::max(0.0f, plain[at]));
        const auto word = positive[static_cast<size_t>(image * kPanels + c / kTileColumns)];
        EXPECT_EQ(word >> (c % kTileColumns) & 1, plain[at] > 0);
      }
  }
}

TEST_P(TileTest, KeepZeroesTheChannelsWhoseBitIsClear) {
  const Problem problem(6);
  for (const int64_t columns : {40, 16, 7}) {
    std::vector<float> plain, masked;
    run_tile(problem.tile(plain, columns), kImages);
    Tile tile = problem.tile(masked, columns);
    tile.keep = problem.keep.data();
    run_tile(tile, kImages);
    for (int64_t image = 0; image < kImages; ++image)
      for (int64_t c = 0; c < columns; ++c) {
        const auto at = static_cast<size_t>(image * kOutStride + c);
        EXPECT_EQ(masked[at], problem.keep[0] >> (c % kTileColumns) & 1 ? plain[at] : 0.0f);
      }
  }
}

TEST_P(TileTest, ReluLetsNaNThrough) {
  Problem problem;
  problem.bias[3] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> output;
  Tile tile = problem.tile(output, 16);
  tile.relu = true;
  run_tile(tile, kImages);
  EXPECT_TRUE(std::isnan(output[3]));
  EXPECT_FALSE(std::isnan(output[4]));
}

NEO_ON_EVERY_FORM(TileTest);

}  // namespace
}  // namespace neo
