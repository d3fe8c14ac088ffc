#pragma once

#include "kernels/forms/vector.h"

namespace neo {

// Nothing but multiply-adds on registers: as fast as the instructions get.
template <typename V>
struct PeakForm {
  static constexpr int kChains = 12;  // more than two units times their latency
  static constexpr int64_t kPerRound = int64_t{kChains} * V::kLanes;

  static float multiply_adds(int64_t rounds, float by) {
    using Value = typename V::Value;
    Value sum[kChains];
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sum[i] = Vectors<V>::all(static_cast<float>(i));
    const Value factor = Vectors<V>::all(by);
    for (int64_t round = 0; round < rounds; ++round)
#pragma GCC unroll 12
      for (int i = 0; i < kChains; ++i) sum[i] = V::multiply_add(sum[i], factor, factor);
    for (int i = 1; i < kChains; ++i) sum[0] += sum[i];
    return sum[0][0];
  }
};

}  // namespace neo
