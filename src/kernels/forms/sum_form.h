#pragma once

#include "kernels/conv_plan.h"
#include "kernels/forms/vector.h"

namespace neo {

// Loops of sums. Each result is one chain of additions, so that every form gives the same.
template <typename V>
struct SumForm {
  // Along each axis a pixel, or one less another: one, two or four terms.
  static void combine(const ConvPlan& plan, const float* image, float* out) {
    const int64_t channels = plan.source_channels;
    for (const ConvPlan::Input& input : plan.inputs) {
      const float* a = image + input.plus[0] * channels;
      const float* b = image + input.minus[0] * channels;
      if (input.terms == 1) {
        for (int64_t c = 0; c < channels; ++c) out[c] = a[c];
      } else if (input.terms == 2) {
        for (int64_t c = 0; c < channels; ++c) out[c] = a[c] - b[c];
      } else {
        const float* d = image + input.plus[1] * channels;
        const float* e = image + input.minus[1] * channels;
        for (int64_t c = 0; c < channels; ++c) out[c] = (a[c] - b[c]) + (d[c] - e[c]);
      }
      out += channels;
    }
  }

  static void column_sums(const float* matrix, int64_t rows, int64_t columns, float* sums) {
    constexpr int64_t kBlock = 4 * V::kLanes;  // of columns, in registers while all rows pass by
    int64_t c = 0;
    for (; c + kBlock <= columns; c += kBlock) {
      typename V::Value sum[4] = {};
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t v = 0; v < 4; ++v) sum[v] += Vectors<V>::load(matrix + r * columns + c + v * V::kLanes);
      for (int64_t v = 0; v < 4; ++v) Vectors<V>::store(sums + c + v * V::kLanes, sum[v]);
    }
    for (; c < columns; ++c) {
      sums[c] = 0.0f;
      for (int64_t r = 0; r < rows; ++r) sums[c] += matrix[r * columns + c];
    }
  }
};

}  // namespace neo
