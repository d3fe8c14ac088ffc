#include "discover/discover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>

namespace neo {
namespace {

using Cells = std::vector<uint16_t>;
using Change = std::function<Cells(const Cells&)>;

Change gathered(int64_t cells, const std::function<int64_t(int64_t)>& source) {
  return [cells, source](const Cells& x) {
    Cells y(x.size());
    for (int64_t i = 0; i < cells; ++i) y[static_cast<size_t>(i)] = x[static_cast<size_t>(source(i))];
    return y;
  };
}

// Pairs of a hidden world: each by one of the programs, from random inputs.
PairTable make_pairs(PairTable empty, int64_t count, const std::vector<Change>& operations,
                     const std::vector<std::vector<size_t>>& programs, RngStream random) {
  for (int64_t i = 0; i < count; ++i) {
    Cells x(static_cast<size_t>(empty.cells()));
    for (uint16_t& value : x)
      value = static_cast<uint16_t>(random.below(static_cast<uint64_t>(empty.values())));
    Cells y = x;
    for (const size_t operation : programs[random.below(programs.size())]) y = operations[operation](y);
    empty.add(x, y);
  }
  return empty;
}

bool acts_as(const Operation& found, const Change& operation, const PairTable& pairs) {
  for (int64_t i = 0; i < std::min<int64_t>(pairs.size(), 30); ++i) {
    const Cells x(pairs.x_at(i).begin(), pairs.x_at(i).end());
    if (!found.explains(x, operation(x), 0)) return false;
  }
  return true;
}

int64_t operations_found(const std::vector<Operation>& vocabulary, const std::vector<Change>& operations,
                         const PairTable& pairs) {
  return std::ranges::count_if(operations, [&](const Change& operation) {
    return std::ranges::any_of(vocabulary,
                               [&](const Operation& found) { return acts_as(found, operation, pairs); });
  });
}

// A 6x6 grid: flipped, turned, shifted around the edge, and its values counted on.
std::vector<Change> grid_operations() {
  return {gathered(36, [](int64_t i) { return i / 6 * 6 + 5 - i % 6; }),
          gathered(36, [](int64_t i) { return i % 6 * 6 + 5 - i / 6; }),
          gathered(36, [](int64_t i) { return (i + 6) % 36; }), [](const Cells& x) {
            Cells y = x;
            for (uint16_t& value : y) value = static_cast<uint16_t>((value + 1) % 4);
            return y;
          }};
}

std::vector<std::vector<size_t>> singles_and_pairs(size_t operations) {
  std::vector<std::vector<size_t>> programs;
  for (size_t a = 0; a < operations; ++a) {
    programs.push_back({a});
    for (size_t b = 0; b < operations; ++b) programs.push_back({a, b});
  }
  return programs;
}

const PairTable kGrid{{6, 6, 4}, {}, {}};

TEST(Discover, FindsTheOperationsOfAGridFromMixedPrograms) {
  const auto operations = grid_operations();
  const auto pairs = make_pairs(kGrid, 800, operations, singles_and_pairs(4), RngStream(1, "train"));
  const auto held_out = make_pairs(kGrid, 100, operations, singles_and_pairs(4), RngStream(2, "held out"));
  const Discovery found = discover(pairs, held_out, 42);
  EXPECT_EQ(found.vocabulary.size(), 4u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 4);
  EXPECT_GT(found.explained, 0.9);  // all but the pairs that a program left as they were
  EXPECT_TRUE(found.is_theory());
}

TEST(Discover, FindsOperationsThatAreNeverSeenAlone) {
  // Permutations of twelve tokens; only the first two ever stand alone.
  std::vector<Change> operations;
  RngStream random(3, "permutations");
  for (int i = 0; i < 6; ++i) {
    std::vector<int64_t> order(12);
    for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int64_t>(k);
    random.shuffle(order);
    operations.push_back(gathered(12, [order](int64_t k) { return order[static_cast<size_t>(k)]; }));
  }
  std::vector<std::vector<size_t>> programs{{0}, {1}};
  for (size_t a = 0; a < operations.size(); ++a)
    for (size_t b = 0; b < operations.size(); ++b)
      if (a != b) programs.push_back({a, b});
  const auto pairs = make_pairs({{1, 12, 8}, {}, {}}, 1500, operations, programs, RngStream(4, "train"));
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 6u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 6);
}

// Cells of a 7x7 grid that fall to the ground, column by column.
Cells fallen(const Cells& x) {
  Cells y(x.size(), 0);
  for (size_t column = 0; column < 7; ++column)
    for (size_t row = 7, to = 7; row-- > 0;)
      if (x[row * 7 + column] != 0) y[--to * 7 + column] = x[row * 7 + column];
  return y;
}

TEST(Discover, FindsWhatFallsHoweverFar) {
  const std::vector<Change> operations{fallen, gathered(49, [](int64_t i) { return i / 7 * 7 + 6 - i % 7; })};
  auto pairs = make_pairs({{7, 7, 8}, {}, {}}, 600, {[](const Cells& x) { return x; }}, {{0}}, RngStream(5, "train"));
  const auto programs = singles_and_pairs(2);
  RngStream random(6, "programs");
  for (size_t i = 0; i < 600; ++i) {
    Cells x(pairs.x.begin() + static_cast<int64_t>(49 * i), pairs.x.begin() + static_cast<int64_t>(49 * (i + 1)));
    for (uint16_t& value : x) value = value < 5 ? 0 : value - 4;
    std::ranges::copy(x, pairs.x.begin() + static_cast<int64_t>(49 * i));
    for (const size_t operation : programs[random.below(programs.size())]) x = operations[operation](x);
    std::ranges::copy(x, pairs.y.begin() + static_cast<int64_t>(49 * i));
  }
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 2u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 2);
}

TEST(Discover, IsNotTemptedByPairsThatAgreeByChance) {
  // Twelve bits say so little that some operation fits any few of them; half of the pairs are unrelated.
  const std::vector<Change> operations{gathered(12, [](int64_t i) { return (i + 1) % 12; }),
                                       gathered(12, [](int64_t i) { return 11 - i; })};
  auto pairs = make_pairs({{1, 12, 2}, {}, {}}, 2000, operations, {{0}, {1}}, RngStream(7, "train"));
  RngStream random(8, "unrelated");
  for (size_t cell = 0; cell < pairs.y.size() / 2; ++cell) pairs.y[cell] = static_cast<uint16_t>(random.below(2));
  const auto found = tell_apart(pairs, 0, RngStream(9, "discover"));
  EXPECT_EQ(found.size(), 2u);
}

TEST(Discover, FindsNothingInUnrelatedPairs) {
  auto pairs = make_pairs(kGrid, 800, grid_operations(), singles_and_pairs(4), RngStream(1, "train"));
  std::rotate(pairs.y.begin(), pairs.y.begin() + 36 * 100, pairs.y.end());  // y of another pair
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_TRUE(found.vocabulary.empty());
  EXPECT_EQ(found.explained, 0.0);
  EXPECT_GE(found.bits, found.baseline_bits);
  EXPECT_FALSE(found.is_theory());
}

TEST(Discover, TakesSmallOrNearlyEmptyUnrelatedPairsForNoTheory) {
  for (PairTable pairs : {PairTable{{3, 3, 2}, {}, {}}, PairTable{{10, 10, 9}, {}, {}}}) {
    const double filled = pairs.cells() > 9 ? 0.15 : 1.0;
    RngStream random(7, "unrelated");
    for (int i = 0; i < 600; ++i) {
      Cells x(static_cast<size_t>(pairs.cells())), y = x;
      for (Cells* side : {&x, &y})
        for (uint16_t& value : *side)
          if (random.uniform() < filled)
            value = static_cast<uint16_t>(random.below(static_cast<uint64_t>(pairs.values())));
      pairs.add(x, y);
    }
    EXPECT_FALSE(discover(pairs, {}, 42).is_theory());
  }
}

TEST(Discover, FindsTheSameOperationsWhereFiveInAHundredCellsAreWrong) {
  const auto operations = grid_operations();
  auto pairs = make_pairs(kGrid, 1000, operations, singles_and_pairs(4), RngStream(1, "train"));
  const PairTable clean = pairs;
  RngStream random(5, "noise");
  for (uint16_t& value : pairs.y)
    if (random.uniform() < 0.05) value = static_cast<uint16_t>(random.below(4));
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 4u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, clean), 4);
  EXPECT_GT(found.explained, 0.9);
}

TEST(Discover, FindsTheSameOperationsAmongUnrelatedPairs) {
  const auto operations = grid_operations();
  auto pairs = make_pairs(kGrid, 1000, operations, singles_and_pairs(4), RngStream(1, "train"));
  std::rotate(pairs.y.begin(), pairs.y.begin() + 36,
              pairs.y.begin() + 36 * 100);  // a tenth: y of another pair
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 4u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 4);
}

TEST(Discover, GivesTheSameForTheSameSeed) {
  const auto pairs = make_pairs(kGrid, 400, grid_operations(), singles_and_pairs(4), RngStream(1, "train"));
  const auto once = discover(pairs, {}, 5).vocabulary, again = discover(pairs, {}, 5).vocabulary;
  EXPECT_TRUE(std::ranges::equal(once, again));
}

// The quarter turns of a cube of 54 facelets. A facelet lies at (x, y, z) and faces along one axis.
std::vector<Change> cube_turns() {
  std::vector<std::array<int, 6>> facelets;
  for (size_t axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1})
      for (int u = -1; u <= 1; ++u)
        for (int v = -1; v <= 1; ++v) {
          std::array<int, 6> facelet{};
          facelet[axis] = facelet[3 + axis] = side;
          facelet[(axis + 1) % 3] = u;
          facelet[(axis + 2) % 3] = v;
          facelets.push_back(facelet);
        }
  std::vector<Change> turns;
  for (size_t axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1})
      for (const int direction : {-1, 1}) {
        std::vector<int64_t> source(54);
        for (size_t i = 0; i < 54; ++i) {
          auto moved = facelets[i];
          const size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
          if (moved[axis] == side)
            for (const size_t part : {size_t{0}, size_t{3}}) {
              moved[part + b] = -direction * facelets[i][part + c];
              moved[part + c] = direction * facelets[i][part + b];
            }
          source[static_cast<size_t>(std::ranges::find(facelets, moved) - facelets.begin())] =
              static_cast<int64_t>(i);
        }
        turns.push_back(gathered(54, [source](int64_t i) { return source[static_cast<size_t>(i)]; }));
      }
  return turns;
}

TEST(SlowDiscover, FindsTheTwelveTurnsOfACubeOfWhichEightNeverOccurAlone) {
  const auto turns = cube_turns();
  std::vector<std::vector<size_t>> programs{{0}, {3}, {6}, {9}};
  for (size_t a = 0; a < 12; ++a)
    for (size_t b = 0; b < 12; ++b)
      if (a / 2 != b / 2) programs.push_back({a, b});
  for (const uint64_t seed : {42u, 43u, 44u}) {
    RngStream random(seed, "cube");
    PairTable pairs{{1, 54, 6}, {}, {}};
    for (int i = 0; i < 3000; ++i) {
      Cells x(54);
      for (size_t facelet = 0; facelet < 54; ++facelet) x[facelet] = static_cast<uint16_t>(facelet / 9);
      for (int turn = 0; turn < 25; ++turn) x = turns[random.below(12)](x);
      Cells y = x;
      for (const size_t turn : programs[random.below(programs.size())]) y = turns[turn](y);
      pairs.add(x, y);
    }
    const Discovery found = discover(pairs, {}, seed);
    EXPECT_EQ(found.vocabulary.size(), 12u);
    EXPECT_EQ(operations_found(found.vocabulary, turns, pairs), 12);
  }
}

TEST(Routing, ComposedIsOneAfterTheOther) {
  const Routing shift{{Routing::kConstant, 0, 1}, {2, 0, 0}, {0, 1, 2}},
      recolour{{0, 1, 2}, {0, 0, 0}, {1, 2, 0}};
  const Cells x{0, 1, 2};
  Cells between(3), one_by_one(3), at_once(3);
  shift.apply(x, between);
  EXPECT_EQ(between, (Cells{2, 0, 1}));
  recolour.apply(between, one_by_one);
  composed(shift, recolour).apply(x, at_once);
  EXPECT_EQ(one_by_one, (Cells{0, 1, 2}));
  EXPECT_EQ(at_once, one_by_one);
}

TEST(Routing, AnInverseUndoesAPermutation) {
  const Routing turn{{1, 2, 0}, {0, 0, 0}, {1, 2, 0}};
  ASSERT_TRUE(turn.is_permutation());
  Cells there(3), back(3);
  turn.apply(Cells{0, 0, 2}, there);
  turn.inverse().apply(there, back);
  EXPECT_EQ(back, (Cells{0, 0, 2}));
  EXPECT_FALSE((Routing{{0, 0, 1}, {0, 0, 0}, {0, 1, 2}}).is_permutation());
}

TEST(RoutingBelief, CellsThatMoveAlikeVouchForThoseThatNeverChange) {
  // Twelve pairs: a block of three values moves right by one, on a 5x5 grid whose last row stays empty.
  PairTable pairs{{5, 5, 4}, {}, {}};
  RngStream random(6, "blocks");
  std::vector<int64_t> all;
  for (int64_t i = 0; i < 12; ++i) {
    Cells x(25), y(25);
    const size_t corner = random.below(3) * 5 + random.below(3);
    for (const size_t cell : {corner, corner + 1, corner + 5, corner + 6})
      x[cell] = y[cell + 1] = static_cast<uint16_t>(1 + random.below(3));
    pairs.add(x, y);
    all.push_back(i);
  }
  const Routing routing = RoutingBelief(pairs, all).most_likely();
  for (int32_t row = 0; row < 5; ++row)
    for (int32_t column = 1; column < 5; ++column)
      EXPECT_EQ(routing.sources[static_cast<size_t>(row * 5 + column)], row * 5 + column - 1);
}

TEST(ShortestProgram, CountsOperations) {
  const auto operations = grid_operations();
  const auto pairs = make_pairs(kGrid, 400, operations, singles_and_pairs(4), RngStream(1, "train"));
  const auto vocabulary = discover(pairs, {}, 42).vocabulary;
  const Cells x(pairs.x_at(0).begin(), pairs.x_at(0).end());
  EXPECT_EQ(shortest_program(vocabulary, x, operations[1](x), 3, 0).operations.size(), 1u);
  EXPECT_EQ(shortest_program(vocabulary, x, operations[3](operations[1](x)), 3, 0).operations.size(), 2u);
  EXPECT_EQ(shortest_program(vocabulary, x, Cells(36, 3), 3, 0).operations.size(), 0u);
}

}  // namespace
}  // namespace neo
