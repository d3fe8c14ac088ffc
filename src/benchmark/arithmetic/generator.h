#pragma once

#include "benchmark/benchmark.h"

namespace neo {

// Arithmetic episodes, bit for bit those of the benchmark (NumPy seed 42). The pretraining profile is not
// paired: every number from 0 to 9,999 once, four to an episode, with an empty program; its test holds
// 1,000 random six-digit numbers.
void generate_arithmetic(const DataRequest& request, const OpenSplit& open);

}  // namespace neo
