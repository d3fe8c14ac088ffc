#pragma once

#include "discover/factor.h"
#include "discover/selection.h"

namespace neo {

// What counting finds in pairs of categorical observations, before anything is trained.
struct Discovery {
  std::vector<Operation> vocabulary;
  int64_t noise = 0;     // cells of every y that may be wrong
  double explained = 0;  // share of the pairs that it was not learned from
  // Bits of y given x for each of those, the vocabulary's own included, and without any theory.
  double bits = 0, baseline_bits = 0;
  // Whether it says most of the pairs in far fewer bits than they take without it.
  bool is_theory() const;
};

// Memorise, then factor: tells the transformations behind the pairs apart, and finds the smallest vocabulary
// of operations whose programs say them all. `held_out` judges it. Where that explains little, once more with
// noise in y allowed for; what takes fewer bits is returned. The same result for the same seed.
Discovery discover(const PairTable& pairs, const PairTable& held_out, uint64_t seed);

}  // namespace neo
