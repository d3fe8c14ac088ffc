#pragma once

#include "neo/options.h"

namespace neo {

// Milliseconds per training step, or per episode.
struct Timing {
  double median = 0, best = 0;
  int64_t pairs = 0;    // per training step
  double products = 0;  // multiply-adds that it needs, counted once without a clock
};
Timing measure(const TimingOptions& options);

}  // namespace neo
