#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "neo/options.h"

namespace neo {

// Milliseconds per training step, or per episode.
struct Timing {
  double median = 0, best = 0;
  int64_t pairs = 0;    // per training step
  double products = 0;  // multiply-adds that it needs, counted once without a clock
};
Timing measure(const TimingOptions& options);
std::string precision_of(const TimingOptions& options);

// A measurement beside what the processor can do at best.
struct TimingRecord {
  TimingOptions measured;
  Timing timing;
  std::string instructions;           // the form of the kernels
  std::string precision = "float32";  // of a training step's products; the peak is float32's either way
  int threads = 1;
  double peak = 0;  // multiply-adds per nanosecond
  double share_of_peak() const { return timing.products / (timing.best * 1e6 * peak); }
};
nlohmann::json to_json(const TimingRecord& record);
std::string table(const TimingRecord& record);

}  // namespace neo
