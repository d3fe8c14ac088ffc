#include "discover/rule_language.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace neo {
namespace {

constexpr int64_t kReach = 2, kReachInLine = 4;  // of what a rule looks at, in a grid and in a sequence
// Nats of naming a place: the cell itself, next to it, diagonal, two steps away, anywhere else, on the ground.
constexpr double kOwn = 0.5, kBeside = 2.0, kDiagonal = 3.0, kFar = 4.0, kElsewhere = 5.0, kLying = 8.0;
constexpr double kCount = 3.0;     // of a question that counts neighbours, its value not included
constexpr double kLeafKind = 0.7;  // of saying what kind of leaf, and that it is one

using Axis = Place::Axis;

double place_cost(const Place& place) {
  if (place.depends_on_ground()) return kLying;
  if (place.vertical != Axis::along || place.horizontal != Axis::along || place.is_turned) return kElsewhere;
  const int reach = std::abs(place.down) + std::abs(place.right);
  if (reach == 0) return kOwn;
  if (std::max(std::abs(place.down), std::abs(place.right)) > 1) return kFar;
  return reach == 1 ? kBeside : kDiagonal;
}

double value_cost(const CellShape& shape) { return std::log(static_cast<double>(shape.values + 1)); }

std::vector<Place> nearby(int64_t down, int64_t right) {
  std::vector<Place> places;
  for (int64_t row = -down; row <= down; ++row)
    for (int64_t column = -right; column <= right; ++column)
      places.push_back({Axis::along, Axis::along, static_cast<int8_t>(row), static_cast<int8_t>(column)});
  std::ranges::stable_sort(places, {}, place_cost);
  return places;
}

// Mirrored and turned, and the first and last place of the row and of the column.
void add_places_of_grids(std::vector<Place>& places) {
  for (const bool is_turned : {false, true})
    for (const Axis vertical : {Axis::along, Axis::mirrored})
      for (const Axis horizontal : {Axis::along, Axis::mirrored})
        if (is_turned || vertical != Axis::along || horizontal != Axis::along)
          places.push_back({vertical, horizontal, 0, 0, is_turned});
  for (const Axis end : {Axis::first, Axis::last}) {
    places.push_back({end, Axis::along});
    places.push_back({Axis::along, end});
  }
}

// Mirrored, and counted from either end; also the place after the last one, which tells where a sequence
// ends.
void add_places_of_sequences(std::vector<Place>& places) {
  for (int8_t step = -2; step <= 2; ++step) {
    places.push_back({Axis::along, Axis::mirrored, 0, step});
    if (step >= 0) places.push_back({Axis::along, Axis::first, 0, step});
    if (step <= 0) places.push_back({Axis::along, Axis::last, 0, step});
  }
  places.push_back({Axis::along, Axis::last, 0, 1});
}

void add_places_on_ground(std::vector<Place>& places, bool is_grid) {
  for (const Axis axis : {Axis::before, Axis::after, Axis::slid_first, Axis::slid_last}) {
    places.push_back({Axis::along, axis});
    if (is_grid) places.push_back({axis, Axis::along});
  }
}

}  // namespace

std::vector<Place> places_of(const CellShape& shape) {
  const bool is_grid = shape.rows > 1;
  std::vector<Place> places = is_grid ? nearby(kReach, kReach) : nearby(0, kReachInLine);
  is_grid ? add_places_of_grids(places) : add_places_of_sequences(places);
  if (shape.channels == 1) {
    add_places_on_ground(places, is_grid);
    return places;
  }
  const std::vector<Place> same = places;
  for (int8_t channel = 0; channel < shape.channels; ++channel)
    for (Place place : same) {
      place.channel = channel;
      places.push_back(place);
    }
  return places;
}

size_t neighbours_of(CellTest::Kind kind) { return kind == CellTest::Kind::eight_around ? 8 : 4; }

std::vector<CellTest> counts_of(const CellShape& shape) {
  std::vector<CellTest> tests;
  if (shape.rows == 1) return tests;
  for (const auto kind : {CellTest::Kind::eight_around, CellTest::Kind::four_around})
    for (int64_t value = 0; value < shape.values; ++value)
      for (uint8_t least = 1; least <= neighbours_of(kind); ++least)
        tests.push_back({kind, {}, static_cast<uint16_t>(value), least});
  return tests;
}

double cost_of(const CellTest& test, const CellShape& shape) {
  return (test.kind == CellTest::Kind::is_value ? place_cost(test.place) : kCount) + value_cost(shape);
}

double cost_of(const CellSource& source, const CellShape& shape) {
  if (source.kind == CellSource::Kind::copied) return kLeafKind + place_cost(source.place);
  if (source.kind == CellSource::Kind::constant) return kLeafKind + kBeside + value_cost(shape);
  double cost = kLeafKind + kBeside;
  for (size_t value = 0; value < source.map.size(); ++value)
    cost += std::log(2.0) + (source.map[value] == value ? 0 : value_cost(shape));
  return cost;
}

double description_length(const CellRule& rule) {
  double cost = 0;
  for (const auto& tree : rule.trees)
    for (const CellRule::Node& node : tree)
      cost += node.yes > 0 ? cost_of(node.test, rule.shape) : cost_of(node.source, rule.shape);
  return cost;
}

}  // namespace neo
