#pragma once

#include <cstdint>
#include <utility>

namespace neo {

// What every vector type has, made from its width.
template <typename V>
struct Vectors {
  using Value = typename V::Value;
  // Not by memcpy: compilers copy by halves of a register, and loading the whole then waits for both stores.
  using Unaligned [[gnu::aligned(4), gnu::may_alias]] = Value;
  using Ints [[gnu::vector_size(4 * V::kLanes)]] = int32_t;

  [[gnu::always_inline]] static Value load(const float* from) {
    return *reinterpret_cast<const Unaligned*>(from);
  }
  [[gnu::always_inline]] static void store(float* to, Value v) { *reinterpret_cast<Unaligned*>(to) = v; }
  [[gnu::always_inline]] static Value all(float x) { return x - Value{}; }

  // e^x for x <= 0, within 2 units in the last place; NaN stays NaN. Adding 1.5 * 2^23 rounds x / ln 2 to an
  // integer n and leaves n in the low bits, ready to be shifted into an exponent.
  [[gnu::always_inline]] static Value exponential(Value x) {
    x = x < -87.0f ? Value{} - 87.0f : x;
    const Value shifted = x * 1.44269504f + 12582912.0f;
    const Value n = shifted - 12582912.0f;
    const Value r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    Value p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return p * reinterpret_cast<Value>((reinterpret_cast<Ints>(shifted) << 23) + (127 << 23));
  }

  // Over all lanes, in pairs: one after the other would be as many times the latency of one.
  [[gnu::always_inline]] static float sum(Value v) {
    return fold(v, [](Value a, Value b) { return a + b; });
  }
  [[gnu::always_inline]] static float largest(Value v) {
    return fold(v, [](Value a, Value b) { return a > b ? a : b; });
  }

 private:
  template <typename F>
  [[gnu::always_inline]] static float fold(Value v, const F& f) {
    if constexpr (V::kLanes > 8) v = f(v, across<8>(v, kAll));
    if constexpr (V::kLanes > 4) v = f(v, across<4>(v, kAll));
    v = f(v, across<2>(v, kAll));
    return f(v, across<1>(v, kAll))[0];
  }
  static constexpr std::make_index_sequence<static_cast<size_t>(V::kLanes)> kAll{};
  template <int Distance, size_t... Lane>
  [[gnu::always_inline]] static Value across(Value v, std::index_sequence<Lane...>) {
    return __builtin_shuffle(v, Ints{(static_cast<int32_t>(Lane) ^ Distance)...});
  }
};

}  // namespace neo
