#include "eval/relations.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace neo {
namespace {

using Code = std::function<uint8_t(uint8_t)>;  // on observations of a single element

Behaviours behaviours_of(const std::vector<Code>& codes, const std::vector<uint8_t>& inputs) {
  Behaviours b{.codes = static_cast<int64_t>(codes.size()),
               .inputs = static_cast<int64_t>(inputs.size()),
               .size = 1,
               .before = inputs};
  for (const Code& first : codes) {
    for (uint8_t x : inputs) b.after.push_back(first(x));
    for (const Code& second : codes)
      for (uint8_t x : inputs) b.twice.push_back(second(first(x)));
  }
  return b;
}

const std::vector<uint8_t> kInputs{10, 20, 30, 40, 50};
uint8_t plus(uint8_t x, int by) { return static_cast<uint8_t>(x + by); }
Code add(int by) {
  return [by](uint8_t x) { return plus(x, by); };
}
uint8_t twice(uint8_t x) { return static_cast<uint8_t>(2 * x); }
// How far pixels are apart, on [0, 1].
double pixels_apart(const uint8_t* a, const uint8_t* b) { return std::abs(*a - *b) / 255.0; }

TEST(Relations, NoOpsAreToldAndLeftOut) {
  const Relations r = find_relations(behaviours_of({add(0), add(1)}, kInputs), 0.8);
  EXPECT_EQ(r.no_ops, std::vector<int64_t>{0});
  EXPECT_EQ(r.unchanged, (std::vector<double>{1, 0}));
  EXPECT_TRUE(r.commuting.empty());
}

TEST(Relations, DuplicatesAreToldOnce) {
  const Relations r = find_relations(behaviours_of({add(1), add(2), add(1)}, kInputs), 0.8);
  ASSERT_EQ(r.duplicates.size(), 1u);
  EXPECT_EQ(r.duplicates[0].code, 0);
  EXPECT_EQ(r.duplicates[0].others, std::vector<int64_t>{2});
  EXPECT_EQ(r.duplicates[0].share, 1.0);
}

TEST(Relations, InversesUndoEachOther) {
  const Relations r = find_relations(behaviours_of({add(3), add(-3), add(1)}, kInputs), 0.8);
  ASSERT_EQ(r.inverses.size(), 1u);
  EXPECT_EQ(r.inverses[0].code, 0);
  EXPECT_EQ(r.inverses[0].others, std::vector<int64_t>{1});
}

TEST(Relations, WhatNoCodeBringsBackDoesNotSpeakAgainstAnInverse) {
  const Code up = [](uint8_t x) { return x >= 50 ? uint8_t{50} : plus(x, 10); };  // 50 is the edge
  const Code down = [](uint8_t x) { return x <= 10 ? uint8_t{10} : plus(x, -10); };
  const Relations r = find_relations(behaviours_of({up, down}, {10, 20, 30, 40}), 0.9);
  ASSERT_EQ(r.inverses.size(), 1u);
  EXPECT_EQ(r.inverses[0].share, 1.0);
  const Code reset = [](uint8_t) { return uint8_t{0}; };
  EXPECT_TRUE(find_relations(behaviours_of({reset, up}, {10, 20, 30, 40}), 0.5).inverses.empty());
}

TEST(Relations, ACodeMayBeItsOwnInverse) {
  const Code mirror = [](uint8_t x) { return static_cast<uint8_t>(100 - x); };
  const Relations r = find_relations(behaviours_of({mirror}, {10, 20, 70}), 0.8);
  ASSERT_EQ(r.inverses.size(), 1u);
  EXPECT_EQ(r.inverses[0].others, std::vector<int64_t>{0});
}

TEST(Relations, SumsCommuteWithEachOtherButNotWithDoubling) {
  const Relations r = find_relations(behaviours_of({add(1), add(5), twice}, kInputs), 0.8);
  ASSERT_EQ(r.commuting.size(), 1u);
  EXPECT_EQ(r.commuting[0].code, 0);
  EXPECT_EQ(r.commuting[0].others, std::vector<int64_t>{1});
}

TEST(Relations, CompositesAreProgramsOfTwoOtherCodes) {
  const Relations r = find_relations(
      behaviours_of({add(1), twice, [](uint8_t x) { return plus(twice(x), 1); }}, kInputs), 0.8);
  ASSERT_EQ(r.composites.size(), 1u);
  EXPECT_EQ(r.composites[0].code, 2);
  EXPECT_EQ(r.composites[0].others, (std::vector<int64_t>{1, 0}));
}

TEST(Relations, HoldOnAShareOfTheInputs) {
  const Code mostly = [](uint8_t x) { return plus(x, x == 50 ? 7 : 1); };
  const Behaviours b = behaviours_of({add(1), mostly}, kInputs);
  ASSERT_EQ(find_relations(b, 0.8).duplicates.size(), 1u);
  EXPECT_EQ(find_relations(b, 0.8).duplicates[0].share, 0.8);
  EXPECT_TRUE(find_relations(b, 0.9).duplicates.empty());
}

TEST(Relations, PixelsThatUndoEachOtherCommute) {
  Behaviours b = behaviours_of({add(100), [](uint8_t x) { return plus(x, -97); }}, {120, 130, 140});
  b.distance = pixels_apart;
  EXPECT_EQ(find_relations(b, 0.8).inverses.size(), 1u);
  EXPECT_EQ(find_relations(b, 0.8).commuting.size(), 1u);
}

TEST(Relations, PixelsNeedOnlyBeNear) {
  Behaviours b = behaviours_of({add(100), add(102), add(50), add(2)}, kInputs);
  b.distance = pixels_apart;
  const Relations r = find_relations(b, 0.8);
  ASSERT_EQ(r.duplicates.size(), 1u);
  EXPECT_EQ(r.duplicates[0].others, std::vector<int64_t>{1});
  EXPECT_EQ(r.no_ops, std::vector<int64_t>{3});
  ASSERT_FALSE(r.composites.empty());  // 100 = 50 + 50
  EXPECT_EQ(r.composites[0].others, (std::vector<int64_t>{2, 2}));
}

}  // namespace
}  // namespace neo
