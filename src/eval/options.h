#pragma once

#include <cstdint>

namespace neo {

class HardExecutor;

struct InspectionOptions {
  int64_t inputs = 200;  // on which relations are tested
  int64_t vocabulary_inputs = 1000;
  int64_t pairs = 500;               // explained for usage
  int64_t examples = 3;              // per code
  double share = 0.8;                // of inputs on which a relation must hold to be reported
  HardExecutor* executor = nullptr;  // pass one to reuse its cache
};

}  // namespace neo
