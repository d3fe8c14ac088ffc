#pragma once

#include "linear/affine_map.h"

namespace neo {

// What is found in pairs of states of real numbers, before anything is trained.
struct MapDiscovery {
  std::vector<AffineMap> vocabulary;
  double floor = 0;      // residuals below are as good as none
  double explained = 0;  // share of the pairs that it was not learned from, to within the noise
  // Bits of y given x for each of those beyond the floor, the vocabulary's own included; and without any theory.
  double bits = 0, baseline_bits = 0;
  bool is_theory() const;
};

// Memorise, then factor, as discover() does for categories: tells the affine maps behind the pairs apart, and
// finds the smallest vocabulary whose programs say them all. `held_out` judges it. The noise is not known: the least
// of a few floors that explains nearly all pairs is taken, or the one that explains most. The same result for the same seed.
MapDiscovery discover_maps(const MapTable& pairs, const MapTable& held_out, uint64_t seed);

}  // namespace neo
