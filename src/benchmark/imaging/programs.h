#pragma once

#include <vector>

#include "benchmark/benchmark.h"

namespace neo {

// The benchmark knows each multiset of edits in one order only, sorted by name (not all edits commute). Never
// in one program: an edit with its opposite, a flip or the mask twice, more than three rotations or two
// brightness_minus. Ordered by length, then as combinations of the sorted names.
std::vector<Program> imaging_programs(int min_length, int max_length);

// Programs of length 1 and 2 seen in training, and those held out as compositional OOD.
struct ImagingSplit {
  std::vector<Program> in_distribution;
  std::vector<Program> compositional;  // empty at alpha 1
};

// Doubled edits (the anchors) and the single flips and mask are always seen; of the other 31 programs the
// share `alpha`, rounded down, is, in the order of generation. Throws UsageError unless alpha is in [0, 1].
ImagingSplit split_imaging_programs(double alpha);

// Lengths 3 and 4: 79 + 152 programs.
std::vector<Program> imaging_length_programs();

}  // namespace neo
