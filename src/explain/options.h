#pragma once

#include <cstdint>

namespace neo {

class HardExecutor;

struct ExplainOptions {
  int64_t alternatives = 5;          // number of alternatives to report
  int64_t draws = 64;                // at most so many programs are drawn to find them
  uint64_t seed = 42;
  HardExecutor* executor = nullptr;  // pass one to reuse its cache
};

}  // namespace neo
