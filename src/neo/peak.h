#pragma once

#include <cstdint>

#include "kernels/instructions.h"

namespace neo {

// What the machine can do at best, measured: the best of many short attempts, since it may have other work.

// Multiply-adds of float32 a second with nothing else to do, on as many threads.
double measure_peak(Instructions instructions, int threads);
// Bytes a second read from memory, from an array that no cache holds.
double measure_bandwidth(int threads);

}  // namespace neo
