#pragma once

#include <cstdint>
#include <span>

#include "benchmark/benchmark.h"
#include "benchmark/imaging/edits.h"

namespace neo {

// Whether the eye would notice the difference of two RGB images, as the benchmark defines it: fewer than
// 77.5 % of the pixels keep all three channels within 15/255, and the mean squared difference on [0, 1] is at
// least 0.005. Decides like NumPy in float32, last bit included.
bool visibly_different(std::span<const uint8_t> before, std::span<const uint8_t> after);

namespace internal {
// The same decision in NumPy's own arithmetic and order of summation; the above only asks it when close.
bool visibly_different_in_float(std::span<const uint8_t> before, std::span<const uint8_t> after);
}  // namespace internal

// Runs programs on 32x32 images and keeps only visible changes. One per thread.
class VisibleRun {
 public:
  // True if every step and the whole are visible edits; output() is then the result.
  bool run(const Program& program, ObservationView input);
  const Observation& output() const { return current_; }

 private:
  Observation current_;
  Observation next_;
};

}  // namespace neo
