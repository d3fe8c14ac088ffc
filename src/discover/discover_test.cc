#include "discover/discover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace neo {
namespace {

using Cells = std::vector<uint16_t>;
using Operation = std::function<Cells(const Cells&)>;

Operation gathered(int64_t cells, const std::function<int64_t(int64_t)>& source) {
  return [cells, source](const Cells& x) {
    Cells y(x.size());
    for (int64_t i = 0; i < cells; ++i) y[static_cast<size_t>(i)] = x[static_cast<size_t>(source(i))];
    return y;
  };
}

// Pairs of a hidden world: each by one of the programs, from random inputs.
PairTable make_pairs(PairTable empty, int64_t count, const std::vector<Operation>& operations,
                     const std::vector<std::vector<size_t>>& programs, RngStream random) {
  for (int64_t i = 0; i < count; ++i) {
    Cells x(static_cast<size_t>(empty.cells()));
    for (uint16_t& value : x) value = static_cast<uint16_t>(random.below(static_cast<uint64_t>(empty.values)));
    Cells y = x;
    for (const size_t operation : programs[random.below(programs.size())]) y = operations[operation](y);
    empty.add(x, y);
  }
  return empty;
}

bool acts_as(const Routing& routing, const Operation& operation, const PairTable& pairs) {
  for (int64_t i = 0; i < std::min<int64_t>(pairs.size(), 30); ++i) {
    const Cells x(pairs.x_at(i).begin(), pairs.x_at(i).end());
    if (!routing.explains(x, operation(x))) return false;
  }
  return true;
}

int64_t operations_found(const std::vector<Routing>& vocabulary, const std::vector<Operation>& operations,
                         const PairTable& pairs) {
  return std::ranges::count_if(operations, [&](const Operation& operation) {
    return std::ranges::any_of(vocabulary, [&](const Routing& r) { return acts_as(r, operation, pairs); });
  });
}

// A 6x6 grid: flipped, turned, shifted around the edge, and its values counted on.
std::vector<Operation> grid_operations() {
  return {gathered(36, [](int64_t i) { return i / 6 * 6 + 5 - i % 6; }),
          gathered(36, [](int64_t i) { return i % 6 * 6 + 5 - i / 6; }),
          gathered(36, [](int64_t i) { return (i + 6) % 36; }),
          [](const Cells& x) {
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

const PairTable kGrid{6, 6, 4, {}, {}};

TEST(Discover, FindsTheOperationsOfAGridFromMixedPrograms) {
  const auto operations = grid_operations();
  const auto pairs = make_pairs(kGrid, 800, operations, singles_and_pairs(4), RngStream(1, "train"));
  const auto held_out = make_pairs(kGrid, 100, operations, singles_and_pairs(4), RngStream(2, "held out"));
  const Discovery found = discover(pairs, held_out, 42);
  EXPECT_EQ(found.vocabulary.size(), 4u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 4);
  EXPECT_GT(found.explained, 0.9);  // all but the pairs that a program left as they were
  EXPECT_LT(found.bits, found.baseline_bits / 4);
}

TEST(Discover, FindsOperationsThatAreNeverSeenAlone) {
  // Permutations of twelve tokens; only the first two ever stand alone.
  std::vector<Operation> operations;
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
  const auto pairs = make_pairs({1, 12, 8, {}, {}}, 1500, operations, programs, RngStream(4, "train"));
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_EQ(found.vocabulary.size(), 6u);
  EXPECT_EQ(operations_found(found.vocabulary, operations, pairs), 6);
}

TEST(Discover, FindsNothingInUnrelatedPairs) {
  auto pairs = make_pairs(kGrid, 800, grid_operations(), singles_and_pairs(4), RngStream(1, "train"));
  std::rotate(pairs.y.begin(), pairs.y.begin() + 36 * 100, pairs.y.end());  // y of another pair
  const Discovery found = discover(pairs, {}, 42);
  EXPECT_TRUE(found.vocabulary.empty());
  EXPECT_EQ(found.explained, 0.0);
  EXPECT_GE(found.bits, found.baseline_bits);
}

TEST(Discover, GivesTheSameForTheSameSeed) {
  const auto pairs = make_pairs(kGrid, 400, grid_operations(), singles_and_pairs(4), RngStream(1, "train"));
  const auto once = discover(pairs, {}, 5).vocabulary, again = discover(pairs, {}, 5).vocabulary;
  EXPECT_TRUE(std::ranges::equal(once, again));
}

TEST(Routing, ComposedIsOneAfterTheOther) {
  const Routing shift{{Routing::kConstant, 0, 1}, {2, 0, 0}, {0, 1, 2}}, recolour{{0, 1, 2}, {0, 0, 0}, {1, 2, 0}};
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
  PairTable pairs{5, 5, 4, {}, {}};
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
  EXPECT_EQ(shortest_program(vocabulary, x, operations[1](x), 3), 1);
  EXPECT_EQ(shortest_program(vocabulary, x, operations[3](operations[1](x)), 3), 2);
  EXPECT_EQ(shortest_program(vocabulary, x, Cells(36, 3), 3), 0);
}

}  // namespace
}  // namespace neo
