#include "eval/effect.h"

#include <gtest/gtest.h>

#include <functional>

namespace neo {
namespace {

Observation digits(int64_t number) {
  Observation out(6);
  for (size_t i = 6; i-- > 0; number /= 10) out[i] = static_cast<uint8_t>(number % 10);
  return out;
}

std::string of_numbers(const std::function<int64_t(int64_t)>& rule) {
  std::vector<Change> changes;
  for (int64_t n : {12, 8, 100, 44, 6000}) changes.emplace_back(digits(n), digits(rule(n)));
  return describe_effect(arithmetic(), changes, 0.8);
}

TEST(DescribeEffect, FindsTheRuleOfNumbers) {
  EXPECT_EQ(of_numbers([](int64_t n) { return 3 * n; }), "times 3");
  EXPECT_EQ(of_numbers([](int64_t n) { return n + 7; }), "plus 7");
  EXPECT_EQ(of_numbers([](int64_t n) { return n - 5; }), "minus 5");
  EXPECT_EQ(of_numbers([](int64_t n) { return 2 * n + 1; }), "times 2 plus 1");
  EXPECT_EQ(of_numbers([](int64_t n) { return n / 2; }), "divided by 2");
}

TEST(DescribeEffect, SaysNothingWhereThereIsNoSimpleRule) {
  EXPECT_EQ(of_numbers([](int64_t n) { return n * n % 991; }), "");
  EXPECT_EQ(describe_effect(arithmetic(), {}, 0.8), "");
  const Observation image(3072, 1);
  EXPECT_EQ(describe_effect(imaging(), {{image, image}}, 0.8), "");
}

TEST(DescribeEffect, AFewExceptionsAreAllowed) {
  EXPECT_EQ(of_numbers([](int64_t n) { return n == 44 ? 1 : 3 * n; }), "times 3");
  EXPECT_EQ(of_numbers([](int64_t n) { return n == 44 || n == 8 ? 1 : 3 * n; }), "");
}

// A grid without symmetries.
Observation grid(int seed) {
  Observation out(100, 0);
  for (int r = 3; r < 6; ++r)
    for (int c = 3; c < 6; ++c)
      out[static_cast<size_t>(r * 10 + c)] = static_cast<uint8_t>((seed + 3 * r + 5 * c) % 9);
  return out;
}

std::string of_grids(const std::function<uint8_t(const Observation&, int row, int column)>& cell) {
  std::vector<Change> changes;
  for (int seed = 1; seed < 5; ++seed) {
    const Observation before = grid(seed);
    Observation after(100);
    for (int r = 0; r < 10; ++r)
      for (int c = 0; c < 10; ++c) after[static_cast<size_t>(r * 10 + c)] = cell(before, r, c);
    changes.emplace_back(before, after);
  }
  return describe_effect(gridworld(), changes, 0.8);
}

uint8_t at(const Observation& g, int row, int column) {
  if (row < 0 || row > 9 || column < 0 || column > 9) return 0;
  return g[static_cast<size_t>(row * 10 + column)];
}

TEST(DescribeEffect, FindsWhereTheCellsOfAGridGo) {
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return at(g, r + 1, c); }), "up 1");
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return at(g, r - 2, c - 1); }), "down 2 right 1");
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return at(g, r, 9 - c); }), "flip left-right");
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return at(g, 9 - c, r); }), "rotate 90 clockwise");
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return at(g, c, r); }), "transpose");
}

TEST(DescribeEffect, FindsWhichColoursChange) {
  EXPECT_EQ(of_grids([](auto& g, int r, int c) {
              return static_cast<uint8_t>(at(g, r, c) == 3 ? 5 : at(g, r, c));
            }),
            "colour 3 to 5");
  EXPECT_EQ(of_grids([](auto&, int, int) { return uint8_t{0}; }), "erase all");
  EXPECT_EQ(of_grids([](auto& g, int r, int c) { return static_cast<uint8_t>((at(g, r, c) + 1) % 9); }),
            "recolour");
}

}  // namespace
}  // namespace neo
