#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kernels/instructions.h"

namespace neo {

// What the machine can do at best, measured: the best of many short attempts, since it may have other work.

// Multiply-adds of float32 a second with nothing else to do, on as many threads.
double measure_peak(Instructions instructions, int threads);
double measure_rounded_peak(int threads);  // of operands in bfloat16, where that is possible
// Bytes a second read from memory, from an array that no cache holds.
double measure_bandwidth(int threads);

// Both, on one thread and on all; for each number of threads as they stand in `threads`, per nanosecond.
struct Peaks {
  struct Form {
    std::string name;
    std::vector<double> multiply_adds;
  };
  std::vector<int> threads;
  std::vector<Form> forms;
  std::vector<double> memory_bytes;
};
Peaks measure_peaks(int threads);
std::vector<nlohmann::json> to_json(const Peaks& peaks);  // one line each
std::string table(const Peaks& peaks);

}  // namespace neo
