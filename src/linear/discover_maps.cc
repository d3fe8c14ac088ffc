#include "linear/discover_maps.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "linear/map_selection.h"

namespace neo {
namespace {

// Shares of a dimension's variance.
constexpr std::array kFloors{1e-6, 1e-4, 2e-3, 2e-2, 6e-2};
constexpr double kLeastMemorised = 0.3;  // share of the pairs that transformations must explain to be worth factoring
constexpr double kWithin = 4.0;          // floors: explained to within the noise
constexpr double kEnough = 0.9;          // share explained at which a floor is not too low
constexpr double kLeastExplained = 0.5, kMostBits = 0.6;

size_t explained_by(const std::vector<MapTransformation>& transformations) {
  size_t sum = 0;
  for (const MapTransformation& one : transformations) sum += one.pairs.size();
  return sum;
}

void judge(const MapTable& pairs, int64_t learned_from, MapDiscovery& found) {
  const auto count = static_cast<double>(std::max<int64_t>(pairs.size(), 1));
  const MapPrograms programs = describe_by_maps(pairs, found.vocabulary, found.floor);
  const double vocabulary = static_cast<double>(found.vocabulary.size()) * map_cost(pairs.width(), learned_from, found.floor);
  found.explained = static_cast<double>((programs.residual.array() < kWithin * found.floor).count()) / count;
  found.bits = (programs.nats / count + vocabulary / static_cast<double>(std::max<int64_t>(learned_from, 1))) / std::numbers::ln2;
  found.baseline_bits = nats_without_maps(pairs, found.floor) / count / std::numbers::ln2;
}

}  // namespace

bool MapDiscovery::is_theory() const {
  return !vocabulary.empty() && explained >= kLeastExplained && bits <= kMostBits * baseline_bits;
}

MapDiscovery discover_maps(const MapTable& pairs, const MapTable& held_out, uint64_t seed) {
  MapDiscovery best;
  for (const double floor : kFloors) {
    const RngStream random(seed, "discover maps");
    const auto transformations = tell_maps_apart(pairs, floor, random);
    if (static_cast<double>(explained_by(transformations)) < kLeastMemorised * static_cast<double>(pairs.size()))
      continue;
    MapDiscovery found{.vocabulary = select_maps(pairs, transformations, floor, random), .floor = floor};
    judge(held_out.size() > 0 ? held_out : pairs, pairs.size(), found);
    if (found.explained > best.explained) best = std::move(found);
    if (best.explained >= kEnough) break;
  }
  return best;
}

}  // namespace neo
