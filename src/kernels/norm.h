#pragma once

#include <cstdint>

namespace neo {

constexpr int64_t kNormLanes = 16;  // widths are multiples of it

// Rows of a + b, each brought to mean 0 and variance 1, then scaled and moved by what is learned:
//   out = normal gain + offset,  normal = (a + b - mean) scale
struct NormTask {
  int64_t rows = 0, width = 0;
  int64_t repeat = 1;                              // rows of a that share one of b
  const float *a = nullptr, *b = nullptr;          // [rows, width], [rows / repeat, width]
  const float *gain = nullptr, *offset = nullptr;  // [width]
  float epsilon = 1e-5f;
  float *normal = nullptr, *scale = nullptr;  // [rows, width], [rows]: kept for the gradient
};

// out [rows, width]; fills in `normal` and `scale`.
void add_and_norm(const NormTask& task, float* out);
// From the gradient of `out` to those of a + b [rows, width], gain and offset [width], given `normal` and `scale`.
// The result does not depend on the number of threads.
void add_and_norm_backward(const NormTask& task, const float* upstream, float* sum, float* gain, float* offset);

}  // namespace neo
