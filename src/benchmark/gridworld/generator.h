#pragma once

#include "benchmark/benchmark.h"

namespace neo {

// GridWorld episodes, bit for bit those of the benchmark: every profile is one random stream from seed 1127.
void generate_gridworld(const DataRequest& request, const OpenSplit& open);

}  // namespace neo
