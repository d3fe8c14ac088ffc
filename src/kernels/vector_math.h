#pragma once

#include <cstdint>

namespace neo {

// Eight floats as the compiler's own vector type: it becomes whatever registers a function may use.
constexpr int kLanes = 8;
using Lanes [[gnu::vector_size(4 * kLanes)]] = float;
using IntLanes [[gnu::vector_size(4 * kLanes)]] = int32_t;

// x <- e^x for x <= 0, within 2 units in the last place; NaN stays NaN. Adding 1.5 * 2^23 rounds x / ln 2 to
// an integer n and leaves n in the low bits, ready to be shifted into an exponent.
[[gnu::always_inline]] inline void exponentiate(Lanes& x) {
  x = x < -87.0f ? Lanes{} - 87.0f : x;
  const Lanes shifted = x * 1.44269504f + 12582912.0f;
  const Lanes n = shifted - 12582912.0f;
  const Lanes r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Lanes p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  x = p * reinterpret_cast<Lanes>((reinterpret_cast<IntLanes>(shifted) << 23) + (127 << 23));
}

}  // namespace neo
