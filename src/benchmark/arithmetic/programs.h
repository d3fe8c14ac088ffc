#pragma once

#include <vector>

#include "benchmark/benchmark.h"

namespace neo {

// All multisets of factors with shortest..longest members, as sorted index tuples, shorter ones first.
std::vector<Program> arithmetic_programs(int shortest, int longest);

// Programs of length 1-3 held out for compositional OOD. 0.33, 0.66 and 1.00 are the benchmark's lists; any
// other alpha keeps, per length, ceil(alpha n) of the n programs that are not triple powers.
std::vector<Program> held_out_arithmetic_programs(double alpha);

}  // namespace neo
