#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>

#include "linear/discover_maps.h"
#include "linear/map_selection.h"

namespace neo {
namespace {

using State = Eigen::RowVectorXd;
using Change = std::function<State(const State&)>;

double normal(RngStream& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

MapTable make_pairs(int64_t count, int64_t width, const std::vector<Change>& operations,
                    const std::vector<std::vector<size_t>>& programs, RngStream random, double noise = 0) {
  MapTable pairs{States(count, width), States(count, width)};
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t i = 0; i < width; ++i) pairs.x(row, i) = normal(random);
    State y = pairs.x.row(row);
    for (const size_t operation : programs[random.below(programs.size())]) y = operations[operation](y);
    for (int64_t i = 0; i < width; ++i) pairs.y(row, i) = y[i] + noise * normal(random);
  }
  return pairs;
}

std::vector<std::vector<size_t>> singles_and_pairs(size_t operations) {
  std::vector<std::vector<size_t>> programs;
  for (size_t a = 0; a < operations; ++a) {
    programs.push_back({a});
    for (size_t b = 0; b < operations; ++b) programs.push_back({a, b});
  }
  return programs;
}

// Turn the first two numbers, exchange others, change the sign of one and halve another.
std::vector<Change> four_numbers() {
  return {[](const State& s) {
            State y = s;
            y[0] = 0.36 * s[0] - 0.93 * s[1], y[1] = 0.93 * s[0] + 0.36 * s[1];
            return y;
          },
          [](const State& s) { return State{{s[2], s[1], s[3], s[0]}}; },
          [](const State& s) { return State{{s[0], -s[1], s[2], 0.5 * s[3]}}; }};
}

int64_t found_of(const std::vector<AffineMap>& maps, const std::vector<Change>& operations, double tolerance) {
  const MapTable inputs = make_pairs(50, maps.at(0).change.cols(), operations, {{}}, RngStream(99, "inputs"));
  return std::ranges::count_if(operations, [&](const Change& operation) {
    States wanted = inputs.x;
    for (int64_t row = 0; row < wanted.rows(); ++row) wanted.row(row) = operation(inputs.x.row(row));
    return std::ranges::any_of(
        maps, [&](const AffineMap& map) { return residuals(map.apply(inputs.x), wanted).mean() < tolerance; });
  });
}

TEST(AffineMap, OneAfterTheOtherIsBothAsOne) {
  const MapTable pairs = make_pairs(60, 4, four_numbers(), {{0}}, RngStream(1, "pairs"));
  const MapTable others = make_pairs(60, 4, four_numbers(), {{2}}, RngStream(2, "pairs"));
  const AffineMap first = fit_map(pairs.x, pairs.y, 0), last = fit_map(others.x, others.y, 0);
  EXPECT_LT(residuals(first.then(last).apply(pairs.x), last.apply(first.apply(pairs.x))).maxCoeff(), 1e-18);
  EXPECT_LT(residuals(first.apply(pairs.x), pairs.y).maxCoeff(), 1e-18);
}

TEST(AffineMap, ARidgeKeepsWhatFewPairsLeaveOpenAsItIs) {
  const MapTable pairs = make_pairs(2, 4, four_numbers(), {{2}}, RngStream(1, "pairs"));
  const AffineMap map = fit_map(pairs.x, pairs.y, 1e-6);
  EXPECT_LT(residuals(map.apply(pairs.x), pairs.y).maxCoeff(), 1e-9);
  EXPECT_LT(map.change.norm(), 3);
}

TEST(DiscoverMaps, FindsTheOperationsBehindMixedPrograms) {
  const auto operations = four_numbers();
  for (const double noise : {0.0, 0.03}) {
    const auto pairs = make_pairs(2000, 4, operations, singles_and_pairs(3), RngStream(1, "train"), noise);
    const auto held_out = make_pairs(200, 4, operations, singles_and_pairs(3), RngStream(2, "held out"), noise);
    const MapDiscovery found = discover_maps(pairs, held_out, 42);
    EXPECT_TRUE(found.is_theory()) << noise;
    EXPECT_EQ(found.vocabulary.size(), 3u) << noise;
    EXPECT_EQ(found_of(found.vocabulary, operations, 1e-3), 3) << noise;
    EXPECT_GT(found.explained, 0.95) << noise;
  }
}

TEST(DiscoverMaps, FindsAnOperationThatIsNeverSeenAlone) {
  const auto operations = four_numbers();
  const std::vector<std::vector<size_t>> programs{{0}, {1}, {0, 2}, {2, 0}, {1, 2}, {2, 1}};
  const auto pairs = make_pairs(1500, 4, operations, programs, RngStream(1, "train"));
  const MapDiscovery found = discover_maps(pairs, {States(0, 4), States(0, 4)}, 42);
  EXPECT_EQ(found.vocabulary.size(), 3u);
  EXPECT_EQ(found_of(found.vocabulary, operations, 1e-3), 3);
}

TEST(DiscoverMaps, UnrelatedPairsAreNoTheory) {
  auto pairs = make_pairs(1000, 4, four_numbers(), singles_and_pairs(3), RngStream(1, "train"));
  std::rotate(pairs.y.data(), pairs.y.data() + 4 * 100, pairs.y.data() + pairs.y.size());  // y of another pair
  EXPECT_FALSE(discover_maps(pairs, pairs, 42).is_theory());
}

TEST(DiscoverMaps, FewPairsAreNoTheory) {
  const auto pairs = make_pairs(5, 4, four_numbers(), singles_and_pairs(3), RngStream(1, "train"));
  EXPECT_FALSE(discover_maps(pairs, pairs, 42).is_theory());
}

TEST(DiscoverMaps, GivesTheSameForTheSameSeed) {
  const auto pairs = make_pairs(800, 4, four_numbers(), singles_and_pairs(3), RngStream(1, "train"));
  const auto one = discover_maps(pairs, pairs, 42), other = discover_maps(pairs, pairs, 42);
  ASSERT_EQ(one.vocabulary.size(), other.vocabulary.size());
  for (size_t z = 0; z < one.vocabulary.size(); ++z)
    EXPECT_EQ(one.vocabulary[z].change, other.vocabulary[z].change);
}

}  // namespace
}  // namespace neo
