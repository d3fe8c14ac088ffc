#pragma once

#include <fmt/format.h>

#include <string>

#include "benchmark/benchmark.h"

namespace neo {

// For help texts: all benchmarks, and one for examples.
inline std::string benchmark_list() { return fmt::format("{}", fmt::join(benchmark_names(), ", ")); }
inline std::string some_benchmark() { return benchmark_names().front(); }

// How --x and --y are described in a command's help.
inline constexpr const char* kObservationHelp =
    "text in the theory's own form (a number, cells row by row, tokens, numbers), or a file: such text, .npy, .json "
    "or .png; @FILE where the name could be text as well";

}  // namespace neo
