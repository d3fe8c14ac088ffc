#pragma once

#include <vector>

#include "benchmark/benchmark.h"

namespace neo {

// One program per distinct behaviour among all move sequences of up to `longest` steps; only those whose
// shortest spelling has at least `shortest` steps, sorted by (length, names).
std::vector<Program> canonical_grid_programs(int shortest, int longest);

struct ProgramSplit {
  std::vector<Program> train;
  std::vector<Program> held_out;  // compositional OOD
};

// The four triple moves are always trained on; ceil(20 alpha) of the other 20 programs join them.
ProgramSplit split_grid_programs(double alpha);

}  // namespace neo
