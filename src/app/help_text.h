#pragma once

#include <fmt/format.h>

#include <string>

#include "benchmark/benchmark.h"

namespace neo {

// For help texts: all benchmarks, and one for examples.
inline std::string benchmark_list() { return fmt::format("{}", fmt::join(benchmark_names(), ", ")); }
inline std::string some_benchmark() { return benchmark_names().front(); }

}  // namespace neo
