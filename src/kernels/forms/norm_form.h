#pragma once

#include <cmath>

#include "kernels/forms/vector.h"
#include "kernels/norm.h"

namespace neo {

template <typename V>
class NormForm : Vectors<V> {
 public:
  static void rows(const NormTask& t, int64_t begin, int64_t end, float* out) {
    for (int64_t row = begin; row < end; ++row) {
      const float *a = t.a + row * t.width, *b = t.b + row / t.repeat * t.width;
      float *normal = t.normal + row * t.width, *to = out + row * t.width;
      Value sum{};
      for (int64_t i = 0; i < t.width; i += kLanes) {
        const Value value = load(a + i) + load(b + i);
        store(normal + i, value);
        sum += value;
      }
      const Value mean = all(Vectors<V>::sum(sum) / static_cast<float>(t.width));
      Value squares{};
      for (int64_t i = 0; i < t.width; i += kLanes) {
        const Value value = load(normal + i) - mean;
        squares += value * value;
      }
      const float variance = Vectors<V>::sum(squares) / static_cast<float>(t.width);
      const float scale = 1.0f / std::sqrt(variance + t.epsilon);
      t.scale[row] = scale;
      for (int64_t i = 0; i < t.width; i += kLanes) {
        const Value value = (load(normal + i) - mean) * scale;
        store(normal + i, value);
        store(to + i, value * load(t.gain + i) + load(t.offset + i));
      }
    }
  }

  // Adds to the gradients of gain and offset.
  static void rows_backward(const NormTask& t, int64_t begin, int64_t end, const float* upstream, float* sum_gradient,
                            float* gain_gradient, float* offset_gradient) {
    for (int64_t row = begin; row < end; ++row) {
      const float *above = upstream + row * t.width, *normal = t.normal + row * t.width;
      float* to = sum_gradient + row * t.width;
      Value sum{}, along{};
      for (int64_t i = 0; i < t.width; i += kLanes) {
        const Value d = load(above + i), n = load(normal + i), scaled = d * load(t.gain + i);
        sum += scaled;
        along += scaled * n;
        store(gain_gradient + i, load(gain_gradient + i) + d * n);
        store(offset_gradient + i, load(offset_gradient + i) + d);
      }
      const Value mean = all(Vectors<V>::sum(sum) / static_cast<float>(t.width));
      const Value slope = all(Vectors<V>::sum(along) / static_cast<float>(t.width));
      const Value scale = all(t.scale[row]);
      for (int64_t i = 0; i < t.width; i += kLanes)
        store(to + i, (load(above + i) * load(t.gain + i) - mean - load(normal + i) * slope) * scale);
    }
  }

 private:
  using Value = typename V::Value;
  using Vectors<V>::load, Vectors<V>::store, Vectors<V>::all;
  static constexpr int64_t kLanes = V::kLanes;
};

}  // namespace neo
