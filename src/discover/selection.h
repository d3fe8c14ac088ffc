#pragma once

#include "discover/transformation.h"

namespace neo {

// The shortest program of at most `longest` operations that leads from x to y, but for `noise` cells.
struct ShortestProgram {
  std::vector<size_t> operations;  // in order; none: there is no program
  int64_t wrong = 0;               // cells
};
ShortestProgram shortest_program(const std::vector<Operation>& vocabulary, std::span<const uint16_t> x,
                                 std::span<const uint16_t> y, int64_t longest, int64_t noise);

// The few of the candidates that say the pairs in short programs: what others do one after the other is taken
// out.
std::vector<Operation> select(const PairTable& pairs, int64_t noise, std::vector<Operation> candidates);

}  // namespace neo
