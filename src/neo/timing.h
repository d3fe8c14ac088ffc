#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace neo {

// What `neo bench` measures.
struct TimingOptions {
  std::string benchmark, preset = "fast", item = "train";  // train, eval or search
  int64_t steps = 20;       // training steps to time
  int64_t episodes = 512;   // to evaluate
  std::filesystem::path model;  // eval, search: a theory; empty: fresh weights, which solve nothing
  std::vector<std::string> settings;
};

// Milliseconds per training step, or per episode.
struct Timing {
  double median = 0, best = 0;
  int64_t pairs = 0;    // per training step
  double products = 0;  // multiply-adds that it needs, counted once without a clock
};
Timing measure(const TimingOptions& options);

}  // namespace neo
