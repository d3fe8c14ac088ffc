#pragma once

#include <vector>

#include "discover/pair_table.h"

namespace neo {

// An operation that moves values: cell i of y holds what cell sources[i] of x held, translated by one map of
// values for all cells; or, where sources[i] is kConstant, always constants[i].
struct Routing {
  static constexpr int32_t kConstant = -1;
  std::vector<int32_t> sources;     // [N]
  std::vector<uint16_t> constants;  // [N]
  std::vector<uint16_t> map;        // [V]
  double cost = 0;                  // nats that it takes to write the operation down

  uint16_t next(size_t cell, std::span<const uint16_t> x) const {
    return sources[cell] == kConstant ? constants[cell] : map[x[static_cast<size_t>(sources[cell])]];
  }
  void apply(std::span<const uint16_t> x, std::span<uint16_t> y) const {
    for (size_t cell = 0; cell < sources.size(); ++cell) y[cell] = next(cell, x);
  }
  bool is_permutation() const;  // of cells and of values: every y has exactly one x
  Routing inverse() const;      // of a permutation
  bool operator==(const Routing& other) const {
    return sources == other.sources && constants == other.constants && map == other.map;
  }
};

inline constexpr int64_t kMostRoutedCells = 400;  // candidates for the source of every cell: N^2 numbers
// Whether the sources of cells are worth counting: the same cells in every observation, and not too many.
bool can_route(const CellShape& shape);

// Both as one operation: first `first`, then `last`.
Routing composed(const Routing& first, const Routing& last);

Routing identity_routing(const PairTable& pairs);

// What a few pairs say about the sources of every cell: weights over candidates, which follow from how often
// a candidate disagreed and from what the other cells do: cells that move alike (shifted, mirrored, turned)
// make each other likely, so that a handful of pairs determines all cells.
class RoutingBelief {
 public:
  RoutingBelief(const PairTable& pairs, std::span<const int64_t> chosen);
  // Nats of y given x.
  double loss(std::span<const uint16_t> x, std::span<const uint16_t> y) const;
  Routing most_likely() const;

 private:
  struct Candidate {
    int32_t source;  // a cell, or N + value for a constant
    float weight;
  };
  void settle(const std::vector<int32_t>& disagreements, int64_t pairs);
  int64_t rows_, columns_, values_;
  std::vector<std::vector<Candidate>> candidates_;  // [N], most likely first
  std::vector<float> prior_;                        // [N] of the first candidate, for the cost
};

// The same for operations that only translate values, each cell in place.
Routing fit_value_map(const PairTable& pairs, std::span<const int64_t> chosen);

}  // namespace neo
