#include "discover/routing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace neo {
namespace {

constexpr double kNoise = 1e-3;         // share of cells that an operation gets wrong
constexpr double kDisagreement = 3.0;   // nats against a candidate each time that it disagrees
constexpr double kStay = 0.2;           // prior that a cell stays what it is
constexpr double kPattern = 0.6;        // prior that it moves as the cells that move do
constexpr double kConstants = 0.02;     // prior of a constant
constexpr int kPatternRounds = 3;       // of estimating how cells move from how they probably do
constexpr float kLeastWeight = 1e-4f;   // candidates below are dropped
constexpr size_t kMostCandidates = 48;  // of a cell

// The eight ways to lay a grid over itself: the cell that a cell at (row, column) comes from is
// (offset + sign * (row or column), offset + sign * (column or row)).
struct Frame {
  bool is_turned;
  int row_sign, column_sign;
};
constexpr std::array<Frame, 8> kFrames{{{false, 1, 1},
                                        {false, -1, 1},
                                        {false, 1, -1},
                                        {false, -1, -1},
                                        {true, 1, 1},
                                        {true, -1, 1},
                                        {true, 1, -1},
                                        {true, -1, -1}}};

// For every frame, how much each pair of offsets is in use.
class Patterns {
 public:
  Patterns(int64_t rows, int64_t columns)
      : rows_(rows),
        columns_(columns),
        reach_(2 * std::max(rows, columns)),
        wide_(2 * reach_ + 1),
        frames_(rows > 1 && columns > 1 ? kFrames.size() : 4),
        use_(frames_ * static_cast<size_t>(wide_ * wide_), 0.0f) {}

  float& use(size_t frame, int64_t cell, int64_t source) {
    const auto& [is_turned, row_sign, column_sign] = kFrames[frame];
    const int64_t row = cell / columns_, column = cell % columns_;
    const int64_t down = source / columns_ - row_sign * (is_turned ? column : row);
    const int64_t right = source % columns_ - column_sign * (is_turned ? row : column);
    return use_[frame * static_cast<size_t>(wide_ * wide_) +
                static_cast<size_t>((down + reach_) * wide_ + right + reach_)];
  }
  // How likely the source is if the cell moves as others do.
  float likely(int64_t cell, int64_t source) {
    float best = 0;
    for (size_t frame = 0; frame < frames_; ++frame) best = std::max(best, use(frame, cell, source));
    return best;
  }
  void add(int64_t cell, int64_t source, float weight) {
    for (size_t frame = 0; frame < frames_; ++frame) use(frame, cell, source) += weight;
  }
  void normalise(int64_t cells) {
    for (float& use : use_) use /= static_cast<float>(cells);
  }

 private:
  int64_t rows_, columns_, reach_, wide_;
  size_t frames_;
  std::vector<float> use_;
};

// [N, N + V] how many of the chosen pairs disagree with each candidate.
std::vector<int32_t> count_disagreements(const PairTable& pairs, std::span<const int64_t> chosen) {
  const int64_t cells = pairs.cells(), width = cells + pairs.values();
  std::vector<int32_t> count(static_cast<size_t>(cells * width), 0);
  for (const int64_t pair : chosen) {
    const auto x = pairs.x_at(pair), y = pairs.y_at(pair);
    for (int64_t cell = 0; cell < cells; ++cell) {
      const uint16_t value = y[static_cast<size_t>(cell)];
      int32_t* line = count.data() + cell * width;
      for (int64_t source = 0; source < cells; ++source)
        line[source] += x[static_cast<size_t>(source)] != value;
      for (int64_t v = 0; v < pairs.values(); ++v) line[cells + v] += v != value;
    }
  }
  return count;
}

}  // namespace

int64_t changed_cells(std::span<const uint16_t> x, std::span<const uint16_t> y) {
  int64_t changed = 0;
  for (size_t cell = 0; cell < x.size(); ++cell) changed += x[cell] != y[cell];
  return changed;
}

bool can_route(const CellShape& shape) {
  return shape.channels == 1 && shape.blank.empty() && shape.cells() <= kMostRoutedCells;
}

bool Routing::is_permutation() const {
  std::vector<bool> from(sources.size()), to(map.size());
  for (const int32_t source : sources) {
    if (source == kConstant || from[static_cast<size_t>(source)]) return false;
    from[static_cast<size_t>(source)] = true;
  }
  for (const uint16_t value : map) {
    if (to[value]) return false;
    to[value] = true;
  }
  return true;
}

Routing Routing::inverse() const {
  Routing other = *this;
  for (size_t cell = 0; cell < sources.size(); ++cell)
    other.sources[static_cast<size_t>(sources[cell])] = static_cast<int32_t>(cell);
  for (size_t value = 0; value < map.size(); ++value) other.map[map[value]] = static_cast<uint16_t>(value);
  return other;
}

Routing composed(const Routing& first, const Routing& last) {
  Routing both = last;
  for (size_t cell = 0; cell < last.sources.size(); ++cell) {
    if (last.sources[cell] == Routing::kConstant) continue;
    const auto between = static_cast<size_t>(last.sources[cell]);
    both.sources[cell] = first.sources[between];
    both.constants[cell] =
        first.sources[between] == Routing::kConstant ? last.map[first.constants[between]] : 0;
  }
  for (size_t value = 0; value < both.map.size(); ++value) both.map[value] = last.map[first.map[value]];
  return both;
}

Routing identity_routing(const PairTable& pairs) {
  Routing same;
  same.sources.resize(static_cast<size_t>(pairs.cells()));
  std::iota(same.sources.begin(), same.sources.end(), 0);
  same.constants.resize(same.sources.size());
  same.map.resize(static_cast<size_t>(pairs.values()));
  std::iota(same.map.begin(), same.map.end(), uint16_t{0});
  return same;
}

RoutingBelief::RoutingBelief(const PairTable& pairs, std::span<const int64_t> chosen)
    : rows_(pairs.shape.rows), columns_(pairs.shape.columns), values_(pairs.values()) {
  settle(count_disagreements(pairs, chosen), static_cast<int64_t>(chosen.size()));
}

void RoutingBelief::settle(const std::vector<int32_t>& disagreements, int64_t pairs) {
  const int64_t cells = rows_ * columns_, width = cells + values_;
  const auto even = static_cast<float>((1 - kStay - kPattern - kConstants) / static_cast<double>(cells));
  const auto constant = static_cast<float>(kConstants / static_cast<double>(values_));
  std::vector<float> evidence(static_cast<size_t>(pairs) + 1);
  for (size_t i = 0; i < evidence.size(); ++i)
    evidence[i] = static_cast<float>(std::exp(-kDisagreement * static_cast<double>(i)));
  Patterns patterns(rows_, columns_);
  std::vector<float> prior(static_cast<size_t>(width)), weight(prior.size());
  for (int round = 0; round < kPatternRounds; ++round) {
    Patterns next(rows_, columns_);
    int64_t moved = 0;  // cells that do not stay what they are: the others fit nearly every pattern
    candidates_.assign(static_cast<size_t>(cells), {});
    prior_.assign(static_cast<size_t>(cells), 0.0f);
    for (int64_t cell = 0; cell < cells; ++cell) {
      const int32_t* disagreed = disagreements.data() + cell * width;
      float total = 0;
      for (int64_t source = 0; source < width; ++source) {
        auto& p = prior[static_cast<size_t>(source)];
        p = source >= cells ? constant : even + static_cast<float>(kPattern) * patterns.likely(cell, source);
        if (source == cell) p += static_cast<float>(kStay);
        weight[static_cast<size_t>(source)] = p * evidence[static_cast<size_t>(disagreed[source])];
        total += weight[static_cast<size_t>(source)];
      }
      auto& kept = candidates_[static_cast<size_t>(cell)];
      for (int64_t source = 0; source < width; ++source) {
        const float share = weight[static_cast<size_t>(source)] / total;
        if (share < kLeastWeight) continue;
        kept.push_back({static_cast<int32_t>(source), share});
        if (source < cells && disagreed[cell] > 0) next.add(cell, source, share);
      }
      if (disagreed[cell] > 0) ++moved;
      std::stable_sort(kept.begin(), kept.end(), [](auto& a, auto& b) { return a.weight > b.weight; });
      kept.resize(std::min(kept.size(), kMostCandidates));
      prior_[static_cast<size_t>(cell)] = prior[static_cast<size_t>(kept.front().source)];
    }
    next.normalise(std::max<int64_t>(moved, 1));
    patterns = std::move(next);
  }
}

double RoutingBelief::loss(std::span<const uint16_t> x, std::span<const uint16_t> y) const {
  const auto cells = static_cast<int32_t>(candidates_.size());
  const double otherwise = kNoise / static_cast<double>(values_);
  double sum = 0;
  for (int32_t cell = 0; cell < cells; ++cell) {
    float agree = 0;
    for (const auto& [source, weight] : candidates_[static_cast<size_t>(cell)]) {
      const uint16_t value =
          source < cells ? x[static_cast<size_t>(source)] : static_cast<uint16_t>(source - cells);
      if (value == y[static_cast<size_t>(cell)]) agree += weight;
    }
    sum -= std::log((1 - kNoise) * agree + otherwise);
  }
  return sum;
}

Routing RoutingBelief::most_likely() const {
  const auto cells = static_cast<int32_t>(candidates_.size());
  Routing routing;
  routing.map.resize(static_cast<size_t>(values_));
  std::iota(routing.map.begin(), routing.map.end(), uint16_t{0});
  for (int32_t cell = 0; cell < cells; ++cell) {
    const int32_t source = candidates_[static_cast<size_t>(cell)].front().source;
    routing.sources.push_back(source < cells ? source : Routing::kConstant);
    routing.constants.push_back(source < cells ? uint16_t{0} : static_cast<uint16_t>(source - cells));
    routing.cost -= std::log(prior_[static_cast<size_t>(cell)]);
  }
  return routing;
}

Routing fit_value_map(const PairTable& pairs, std::span<const int64_t> chosen) {
  Routing routing = identity_routing(pairs);
  const auto values = static_cast<size_t>(pairs.values());
  std::vector<int32_t> met(values * values, 0);
  for (const int64_t pair : chosen) {
    const auto x = pairs.x_at(pair), y = pairs.y_at(pair);
    for (size_t cell = 0; cell < x.size(); ++cell) ++met[x[cell] * values + y[cell]];
  }
  for (size_t v = 0; v < values; ++v) {
    const auto* line = met.data() + v * values;
    const auto best = static_cast<uint16_t>(std::max_element(line, line + values) - line);
    if (line[best] > line[v]) routing.map[v] = best;
    routing.cost += routing.map[v] == v ? std::log(2.0) : std::log(2.0 * static_cast<double>(values));
  }
  return routing;
}

}  // namespace neo
