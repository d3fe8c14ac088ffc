#pragma once

#include "discover/factor.h"

namespace neo {

inline constexpr int64_t kMostRoutedCells = 400;  // candidates for the source of every cell: N^2 numbers

// What counting finds in pairs of categorical observations, before anything is trained.
struct Discovery {
  std::vector<Routing> vocabulary;
  int64_t transformations = 0;  // distinct ones that were told apart
  double explained = 0;         // share of the pairs that it was not learned from
  // Bits of y given x for each of those, the vocabulary's own included, and without any theory.
  double bits = 0, baseline_bits = 0;
};

// Memorise, then factor: tells the transformations behind the pairs apart, and finds the smallest vocabulary of
// operations whose programs say them all. `held_out` judges it. The same result for the same seed.
Discovery discover(const PairTable& pairs, const PairTable& held_out, uint64_t seed);

// The length of the shortest program of at most `longest` operations that leads from x to y; 0: none. x = y: none.
int64_t shortest_program(const std::vector<Routing>& vocabulary, std::span<const uint16_t> x,
                         std::span<const uint16_t> y, int64_t longest);

}  // namespace neo
