#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "discover/discover.h"
#include "discover/rule_learner.h"

namespace neo {
namespace {

using Cells = std::vector<uint16_t>;
using Axis = Place::Axis;
using Kind = CellTest::Kind;

CellRule::Node copies(Place place) {
  CellRule::Node node;
  node.source = {CellSource::Kind::copied, place, 0, {}};
  return node;
}

CellRule::Node asks(CellTest test, int32_t yes, int32_t no) {
  CellRule::Node node;
  node.test = test;
  node.yes = yes;
  node.no = no;
  return node;
}

// Letters 0-4, 5 stands for nothing; what is filled counts as the sequence.
const CellShape kWords{1, 6, 6, 1, {5}};

TEST(CellRule, PlacesAreCountedFromTheEndOfWhatIsFilled) {
  const Cells x{0, 1, 2, 3, 5, 5};
  const CellReader reader(kWords, x);
  EXPECT_EQ(reader.at({Axis::along, Axis::last}, 0, 0, 0), 3);
  EXPECT_EQ(reader.at({Axis::along, Axis::mirrored}, 0, 1, 0), 2);
  EXPECT_EQ(reader.at({Axis::along, Axis::first}, 0, 3, 0), 0);
  EXPECT_EQ(reader.at({.right = 1}, 0, 3, 0), 5);
  EXPECT_EQ(reader.at({.right = -1}, 0, 0, 0), 5);  // outside is nothing, too
  const CellRule reversed{kWords, {{copies({Axis::along, Axis::mirrored})}}};
  EXPECT_EQ(Operation(reversed).applied(x), (Cells{3, 2, 1, 0, 5, 5}));
}

TEST(CellRule, WhatLiesOnTheGroundIsSeenFromAfar) {
  const Cells x{0, 2, 0, 0, 3, 0};  // the most frequent value, 0, is the ground
  const CellShape shape{1, 6, 4};
  const CellReader reader(shape, x);
  EXPECT_EQ(reader.at({Axis::along, Axis::before}, 0, 3, 0), 2);
  EXPECT_EQ(reader.at({Axis::along, Axis::after}, 0, 1, 0), 3);
  EXPECT_EQ(reader.at({Axis::along, Axis::before}, 0, 1, 0), 4);  // outside: nothing lies there
  const CellRule slides{shape, {{asks({Kind::is_value, {Axis::along, Axis::slid_last}, 4}, 1, 2),
                                 {.source = {CellSource::Kind::constant, {}, 0, {}}},
                                 copies({Axis::along, Axis::slid_last})}}};
  EXPECT_EQ(Operation(slides).applied(x), (Cells{0, 0, 0, 0, 2, 3}));
  EXPECT_FALSE(as_routing(slides));  // where it moves to depends on what there is
}

TEST(CellRule, NeighboursAreCounted) {
  const CellShape shape{3, 3, 2};
  const Cells x{1, 1, 0, 0, 0, 0, 0, 0, 1};
  const CellReader reader(shape, x);
  EXPECT_EQ(reader.around(Kind::eight_around, 1, 1, 1, 0), 3);
  EXPECT_EQ(reader.around(Kind::four_around, 1, 1, 1, 0), 1);
  EXPECT_EQ(reader.around(Kind::eight_around, 2, 0, 0, 0), 5);  // 2: outside
  EXPECT_TRUE(reader.holds({Kind::eight_around, {}, 1, 3}, 1, 1, 0));
  EXPECT_FALSE(reader.holds({Kind::eight_around, {}, 1, 4}, 1, 1, 0));
}

TEST(CellRule, WithoutAQuestionOneAnswerIsAlwaysTaken) {
  const CellShape shape{1, 3, 3};
  const CellRule rule{shape, {{asks({Kind::is_value, {}, 2}, 1, 2), copies({.right = 1}), copies({})}}};
  const Cells x{2, 1, 0};
  EXPECT_EQ(Operation(rule).applied(x), (Cells{1, 1, 0}));
  EXPECT_EQ(Operation(rule.without(0, 0, true)).applied(x), (Cells{1, 0, 0}));
  EXPECT_EQ(Operation(rule.without(0, 0, false)).applied(x), x);
  EXPECT_EQ(rule.without(0, 0, true).leaves(), 1);
}

// An agent (2) steps right unless a wall (1) or the edge is there.
Cells step_right(const Cells& x, int64_t columns) {
  Cells y = x;
  const auto at = static_cast<size_t>(std::ranges::find(x, 2) - x.begin());
  if ((static_cast<int64_t>(at) + 1) % columns == 0 || x[at + 1] == 1) return y;
  y[at] = 0;
  y[at + 1] = 2;
  return y;
}

Cells among_walls(RngStream& random, int64_t cells) {
  Cells x(static_cast<size_t>(cells));
  for (uint16_t& value : x) value = random.uniform() < 0.25 ? 1 : 0;
  x[random.below(x.size())] = 2;
  return x;
}

TEST(RuleLearner, FindsWhatAWallPreventsFromPairsOfOneOperation) {
  RngStream random(1, "walls");
  PairTable pairs{{8, 8, 3}, {}, {}};
  for (int i = 0; i < 100; ++i) {
    const Cells x = among_walls(random, 64);
    pairs.add(x, step_right(x, 8));
  }
  std::vector<int64_t> all(100);
  std::iota(all.begin(), all.end(), int64_t{0});
  const Operation rule(RuleLearner(pairs).fit(all));
  for (int i = 0; i < 300; ++i) {
    const Cells x = among_walls(random, 64);
    EXPECT_EQ(rule.applied(x), step_right(x, 8));
  }
}

TEST(RuleLearner, FindsTheGameOfLife) {
  const auto next = [](const Cells& x) {
    Cells y(x.size());
    const CellShape shape{10, 10, 2};
    const CellReader reader(shape, x);
    for (int64_t cell = 0; cell < 100; ++cell) {
      const int64_t around = reader.around(Kind::eight_around, 1, cell / 10, cell % 10, 0);
      y[static_cast<size_t>(cell)] = around == 3 || (around == 2 && x[static_cast<size_t>(cell)] == 1);
    }
    return y;
  };
  RngStream random(2, "life");
  const auto soup = [&random] {
    Cells x(100);
    for (uint16_t& value : x) value = random.uniform() < 0.35 ? 1 : 0;
    return x;
  };
  PairTable pairs{{10, 10, 2}, {}, {}};
  std::vector<int64_t> all;
  for (int64_t i = 0; i < 60; ++i) {
    const Cells x = soup();
    pairs.add(x, next(x));
    all.push_back(i);
  }
  const Operation rule(RuleLearner(pairs).fit(all));
  for (int i = 0; i < 50; ++i) {
    const Cells x = soup();
    EXPECT_EQ(rule.applied(x), next(x));
  }
}

// Turning the grid by a quarter makes a step in any direction one to the right.
Cells turned(const Cells& x, int64_t side, int times) {
  Cells y = x;
  for (; times > 0; --times) {
    const Cells before = y;
    for (int64_t row = 0; row < side; ++row)
      for (int64_t column = 0; column < side; ++column)
        y[static_cast<size_t>(row * side + column)] =
            before[static_cast<size_t>((side - 1 - column) * side + row)];
  }
  return y;
}

TEST(Discover, FindsTheFourStepsOfAnAgentThatWallsBlock) {
  constexpr int64_t kSide = 8;
  const auto step = [](const Cells& x, int direction) {
    return turned(step_right(turned(x, kSide, direction), kSide), kSide, 4 - direction);
  };
  RngStream random(3, "steps");
  PairTable pairs{{kSide, kSide, 3}, {}, {}};
  for (int i = 0; i < 1200; ++i) {
    const Cells x = among_walls(random, kSide * kSide);
    Cells y = step(x, static_cast<int>(random.below(4)));
    if (random.below(2) == 0) y = step(y, static_cast<int>(random.below(4)));
    pairs.add(x, y);
  }
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 4u);
  EXPECT_GT(found.explained, 0.98);
  for (int direction = 0; direction < 4; ++direction) {
    double best =
        0;  // share of new observations on which one of them does what the step does, blocked or not
    for (const Operation& operation : found.vocabulary) {
      RngStream other(4, "new");
      int64_t right = 0;
      for (int i = 0; i < 200; ++i) {
        const Cells x = among_walls(other, kSide * kSide);
        right += operation.applied(x) == step(x, direction);
      }
      best = std::max(best, static_cast<double>(right) / 200);
    }
    EXPECT_GT(best, 0.95) << "direction " << direction;
  }
}

TEST(Operation, WordsGoThereAndBack) {
  const CellShape shape{2, 3, 4, 2, {}};
  CellRule rule{shape,
                {{asks({Kind::eight_around, {}, 3, 5}, 1, 2),
                  copies({Axis::mirrored, Axis::last, 0, -1, true}), copies({Axis::slid_first, Axis::along}), copies({.down = -2, .channel = 1})},
                 {copies({})}}};
  rule.trees[1][0].source = {CellSource::Kind::mapped, {}, 0, {1, 2, 3, 0}};
  EXPECT_EQ(Operation::from_words(Operation(rule).words(), shape), Operation(rule));
  const CellShape line{1, 3, 4};
  const Routing routing{{2, Routing::kConstant, 0}, {0, 3, 0}, {0, 1, 3, 2}};
  EXPECT_EQ(Operation::from_words(Operation(routing).words(), line), Operation(routing));
}

TEST(Operation, DamagedWordsAreRefusedOrHarmless) {
  const CellShape shape{2, 3, 4, 1, {}};
  const CellRule rule{shape,
                      {{asks({Kind::is_value, {.right = 1}, 3}, 1, 2), copies({.down = 1}), copies({})}}};
  const auto words = Operation(rule).words();
  const Cells x{0, 1, 2, 3, 0, 1};
  for (size_t at = 0; at < words.size(); ++at) {
    for (const int32_t value : {-2, -1, 0, 1, 2, 3, 4, 5, 127, 128, 1 << 20, INT32_MIN, INT32_MAX}) {
      auto damaged = words;
      damaged[at] = value;
      const auto operation = Operation::from_words(damaged, shape);
      if (!operation) continue;
      for (const uint16_t next : operation->applied(x)) EXPECT_LT(next, 4);
    }
    EXPECT_FALSE(Operation::from_words(std::span(words).first(at), shape));
  }
}

TEST(Operation, ARuleThatOnlyMovesIsARouting) {
  const CellShape shape{2, 3, 4};
  const CellRule flipped{shape, {{copies({Axis::along, Axis::mirrored})}}};
  ASSERT_TRUE(as_routing(flipped));
  EXPECT_EQ(as_routing(flipped)->sources, (std::vector<int32_t>{2, 1, 0, 5, 4, 3}));
  // To the left around the edge: only whether the next place is outside is asked.
  const CellRule around{shape,
                        {{asks({Kind::is_value, {.right = 1}, 4}, 1, 2), copies({Axis::along, Axis::first}),
                          copies({.right = 1})}}};
  ASSERT_TRUE(as_routing(around));
  EXPECT_EQ(as_routing(around)->sources, (std::vector<int32_t>{1, 2, 0, 4, 5, 3}));
  const CellRule looks{shape,
                       {{asks({Kind::is_value, {.right = 1}, 2}, 1, 2), copies({.right = 1}), copies({})}}};
  EXPECT_FALSE(as_routing(looks));
}

}  // namespace
}  // namespace neo
