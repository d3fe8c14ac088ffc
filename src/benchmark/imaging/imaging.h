#pragma once

#include "benchmark/benchmark.h"

namespace neo {

// Photographs of 32x32 RGB pixels; a primitive edits the whole picture.
const Benchmark& imaging();

}  // namespace neo
