#pragma once

#include <cstdint>

namespace neo {

class HardExecutor;

struct ExplainOptions {
  int64_t alternatives = 5;          // number of alternatives to report
  uint64_t seed = 42;                // of the draws that find them
  HardExecutor* executor = nullptr;  // pass one to reuse its cache
};

}  // namespace neo
