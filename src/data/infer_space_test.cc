#include "data/infer_space.h"

#include <gtest/gtest.h>

#include "core/testing.h"

namespace neo {
namespace {

const std::filesystem::path kFile = "some.npz";

// Arrays of one shape, filled with zeros up to the last, which is `highest`.
struct Sample {
  std::vector<int64_t> shape;
  double highest = 1;
  bool is_real = false, is_byte = false;
  double lowest = 0;

  RawValue value() const {
    RawValue v;
    v.shape = shape;
    size_t count = 1;
    for (int64_t size : shape) count *= static_cast<size_t>(size);
    v.values.assign(count, 0);
    v.values.front() = lowest;
    v.values.back() = highest;
    v.is_real = is_real;
    v.is_byte = is_byte;
    v.at = {&kFile, "row", 1};
    return v;
  }
};

Encoding infer(const std::vector<Sample>& samples, const SpaceWishes& wishes = {},
               Remarks* remarks = nullptr) {
  SpaceInference inference(wishes);
  for (const Sample& sample : samples) inference.add(sample.value(), "x");
  Remarks own;
  return inference.finish(remarks ? *remarks : own);
}
std::string described(const Sample& sample, const SpaceWishes& wishes = {}) {
  return describe(infer({sample}, wishes).space);
}
std::string complaint(const std::vector<Sample>& samples, const SpaceWishes& wishes = {}) {
  return testing::error_of([&] { infer(samples, wishes); });
}

TEST(InferSpace, ShapesAndTypesDecideWhereNothingIsSaid) {
  EXPECT_EQ(described({{12, 7}, 5}), "12x7 grid of 6 values");
  EXPECT_EQ(described({{12, 7, 1}, 5}), "12x7 grid of 6 values");
  EXPECT_EQ(described({{7, 7, 3}, 10}), "7x7 grid of 3 channels with 1/1/11 values");
  EXPECT_EQ(described({.shape = {16, 20, 3}, .highest = 200, .is_byte = true}), "16x20 RGB image");
  EXPECT_EQ(described({{16, 20, 4}, 200}), "16x20 RGBA image");
  EXPECT_EQ(described({.shape = {16, 20}, .highest = 200, .is_byte = true}), "16x20 grey image");
  EXPECT_EQ(described({.shape = {16, 20}, .highest = 40, .is_byte = true}), "16x20 grid of 41 values");
  EXPECT_EQ(described({.shape = {8, 20}, .highest = 200, .is_byte = true}), "8x20 grid of 201 values");
  EXPECT_EQ(described({{20}, 49}), "sequence of 20 tokens, 50 values");
  EXPECT_EQ(described({{20}, 5000}), "vector of 20 real numbers");
  EXPECT_EQ(described({.shape = {20}, .highest = 3, .lowest = -1}), "vector of 20 real numbers");
  EXPECT_EQ(described({.shape = {7}, .highest = 3, .is_real = true}), "vector of 7 real numbers");
  EXPECT_EQ(described({.shape = {4, 5}, .highest = 0.5, .is_real = true}), "vector of 20 real numbers");
  EXPECT_EQ(described({.shape = {64, 64}, .highest = 0.5, .is_real = true}), "64x64 grey image");
  EXPECT_EQ(described({.shape = {16, 16, 3}, .highest = 1, .is_real = true}), "16x16 RGB image");
  EXPECT_EQ(described({.shape = {16, 16, 3}, .highest = 2, .is_real = true}), "vector of 768 real numbers");
}

TEST(InferSpace, ALayoutThatIsSaidOverrides) {
  EXPECT_EQ(described({.shape = {12, 7}, .highest = 5, .is_real = true}, {.as = Layout::grid}),
            "12x7 grid of 6 values");
  EXPECT_EQ(described({{12, 7}, 5}, {.as = Layout::image}), "12x7 grey image");
  EXPECT_EQ(described({{12, 7}, 5}, {.as = Layout::vector}), "vector of 84 real numbers");
  EXPECT_EQ(described({{12, 7}, 5}, {.as = Layout::sequence}), "sequence of 84 tokens, 6 values");
  EXPECT_EQ(described({{9}, 5}, {.as = Layout::number}), "number of 9 digits");
  EXPECT_EQ(described({{16, 20, 3}, 200}, {.as = Layout::grid}),
            "16x20 grid of 3 channels with 1/1/201 values");
}

TEST(InferSpace, RealPicturesAreScaledToBytes) {
  const Sample half{.shape = {8, 8, 3}, .highest = 0.5, .is_real = true};
  const Encoding encoding = infer({half});
  EXPECT_EQ(encoding.encode(half.value()).back(), 128);
}

TEST(InferSpace, SmallerGridsArePaddedWithAValueOfTheirOwn) {
  Remarks remarks;
  const Encoding encoding = infer({{{2, 2}, 3}, {{1, 3}, 1}}, {}, &remarks);
  EXPECT_TRUE(encoding.space.padded);
  EXPECT_EQ(describe(encoding.space), "2x3 grid of 5 values");
  EXPECT_EQ(encoding.encode(Sample{{2, 2}, 3}.value()), (Observation{0, 0, 4, 0, 3, 4}));
  EXPECT_EQ(encoding.encode(Sample{{1, 3}, 1}.value()), (Observation{0, 0, 1, 4, 4, 4}));
  ASSERT_EQ(remarks.notes.size(), 1u);
  EXPECT_CONTAINS(remarks.notes[0], "padded to 2x3");
}

TEST(InferSpace, ChannelsArePaddedEachWithItsOwnValue) {
  const Encoding encoding = infer({{{1, 1, 2}, 3}, {{1, 2, 2}, 1}});
  EXPECT_EQ(encoding.space.values, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(encoding.encode(Sample{{1, 1, 2}, 3}.value()), (Observation{0, 3, 1, 4}));
}

TEST(InferSpace, EveryChannelHasItsOwnCount) {
  EXPECT_EQ(infer({{.shape = {2, 2, 2}, .highest = 1, .lowest = 5}}).space.values, (std::vector<int64_t>{6, 2}));
  EXPECT_EQ(infer({{{2, 2, 2}, 7}, {{2, 2, 2}, 9}}).space.values, (std::vector<int64_t>{1, 10}));
}

TEST(InferSpace, ShorterDigitsGetZerosInFront) {
  const Encoding encoding = infer({{{3}, 3}, {{2}, 1}}, {.as = Layout::number});
  EXPECT_EQ(encoding.encode(Sample{{2}, 1}.value()), (Observation{0, 0, 1}));
}

TEST(InferSpace, ValuesThatAreFixedRefuseOthersWithTheirRow) {
  EXPECT_EQ(described({{4, 4}, 3}, {.values = 6}), "4x4 grid of 6 values");
  EXPECT_CONTAINS(complaint({{{4, 4}, 6}}, {.values = 6}), "some.npz, row 1, x: 6 is beyond the 6 values");
  EXPECT_EQ(infer({{{2, 2}, 3}, {{1, 3}, 1}}, {.values = 10}).space.values, std::vector<int64_t>{11});
}

TEST(InferSpace, WhatNoSpaceHoldsIsNamedWithItsRow) {
  EXPECT_CONTAINS(complaint({{{80, 4}, 3}}), "some.npz, row 1, x: a grid of 80x4 is too large");
  EXPECT_CONTAINS(complaint({{{4, 4}, 300}}), "301 different values");
  EXPECT_CONTAINS(complaint({{.shape = {4, 4}, .highest = 3, .lowest = -2}}), "-2 is negative");
  EXPECT_CONTAINS(complaint({{.shape = {4, 4}, .highest = 0.5, .is_real = true}}, {.as = Layout::grid}),
                  "fractions");
  EXPECT_CONTAINS(complaint({{{2, 2, 2, 2}, 1}}), "4 dimensions");
  EXPECT_CONTAINS(complaint({{{4}, 1}}, {.as = Layout::grid}), "one dimension");
  EXPECT_CONTAINS(complaint({{{4, 4}, 300}}, {.as = Layout::image}), "from 0 to 255");
  EXPECT_CONTAINS(complaint({{{3, 40, 40}, 200}}, {.as = Layout::image}), "channels last");
  EXPECT_CONTAINS(complaint({{.shape = {4}, .is_real = true}, {.shape = {5}, .is_real = true}}),
                  "x is 4 and some.npz, row 1, x is 5");
  EXPECT_CONTAINS(complaint({{{4}, 1}, {{2, 2}, 1}}), "same number of dimensions");
  EXPECT_CONTAINS(complaint({{{2000}, 0.5, true}}), "2000 numbers is too long");
  EXPECT_CONTAINS(complaint({{{4}, 11}}, {.as = Layout::number}), "no digit in base 10");
}

TEST(InferSpace, ChannelsThatComeFirstAreToBePutLast) {
  EXPECT_CONTAINS(complaint({{.shape = {3, 12, 12}, .highest = 200, .is_byte = true}}), "x is 3x12x12; put the channels last");
  EXPECT_CONTAINS(complaint({{.shape = {3, 32, 32}, .highest = 9}}), "put the channels last");
  for (const Sample& sample : {Sample{{3, 12, 12}, 9}, Sample{.shape = {3, 12, 12}, .is_real = true}}) {
    Remarks remarks;
    infer({sample}, {}, &remarks);
    ASSERT_FALSE(remarks.notes.empty());
    EXPECT_CONTAINS(remarks.notes[0], "if they come first, move them");
  }
  EXPECT_EQ(described({{8, 8, 6}, 40}), "8x8 grid of 6 channels with 1/1/1/1/1/41 values");
}

TEST(InferSpace, TheValueThatKeepsRealsFromBeingAnImageIsNamed) {
  const Sample right{.shape = {40, 40, 3}, .highest = 0.5, .is_real = true};
  const Sample bright{.shape = {40, 40, 3}, .highest = 1.5, .is_real = true};
  const Sample dark{.shape = {40, 40, 3}, .highest = 0.5, .is_real = true, .lowest = -0.5};
  EXPECT_CONTAINS(complaint({right, bright}, {.as = Layout::image}), "from 0 to 1, not 1.5 beside fractions");
  EXPECT_CONTAINS(complaint({right, dark}, {.as = Layout::image}), "not -0.5");
  EXPECT_CONTAINS(complaint({right, bright}), "row 1, x: 1.5 is outside 0 to 1, so 40x40x3 is no image");
}

TEST(InferSpace, ValuesAreNotCountedWhereThereAreNone) {
  EXPECT_CONTAINS(complaint({{{12, 7}, 5}}, {.as = Layout::image, .values = 6}), "an image has none; leave it out");
  EXPECT_CONTAINS(complaint({{{12, 7}, 5}}, {.as = Layout::vector, .values = 6}), "a vector has none");
}

TEST(InferSpace, GapsBetweenValuesAreWarnedOf) {
  Remarks remarks;
  infer({{{4, 4}, 200}}, {}, &remarks);
  ASSERT_EQ(remarks.warnings.size(), 1u);
  EXPECT_CONTAINS(remarks.warnings[0], "only 2 of the 201 values occur");
}

}  // namespace
}  // namespace neo
