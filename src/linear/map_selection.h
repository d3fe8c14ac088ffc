#pragma once

#include "linear/map_consensus.h"

namespace neo {

// The vocabulary of least description length for the pairs: some of the transformations and of the differences
// between them (what must follow or precede one of them to give another), so that operations never seen alone are
// found, and composites are spelt. Programs have at most two operations; what they leave of y costs the logarithm
// of the residual, down to `floor`.
std::vector<AffineMap> select_maps(const MapTable& pairs, const std::vector<MapTransformation>& transformations,
                                   double floor, RngStream random);

// What the shortest description of every pair by programs of at most two maps is.
struct MapPrograms {
  std::vector<int64_t> first, last;  // [B] -1: none; programs of one map have a last one only
  Eigen::VectorXd residual;          // [B]
  double nats = 0;                   // of all pairs; the maps themselves not included
};
MapPrograms describe_by_maps(const MapTable& pairs, const std::vector<AffineMap>& maps, double floor);

// Nats of y given x, of all pairs, where x is left as it is.
double nats_without_maps(const MapTable& pairs, double floor);

// Nats that it takes to write a map down, as precisely as so many pairs determine it where their noise is `floor`.
double map_cost(int64_t width, int64_t pairs, double floor);

}  // namespace neo
