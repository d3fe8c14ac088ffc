#pragma once

#include <immintrin.h>

namespace neo {
namespace {  // each file that uses it has its own, compiled with its own flags

// Twelve rows by two registers: 24 sums of 32 registers. Every broadcast input serves two multiply-adds; with
// one register per row loads would be the limit (225 against 185 GFLOP/s on one core).
struct Avx512 {
  static constexpr int kLanes = 16;
  static constexpr int kVectors = 2;
  static constexpr int kSums = 24;
  using Value = __m512;

  static Value multiply_add(Value a, Value b, Value sum) { return _mm512_fmadd_ps(a, b, sum); }
  static unsigned positive(Value v) { return _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GT_OQ); }
  static Value keep(Value v, unsigned bits) { return _mm512_maskz_mov_ps(static_cast<__mmask16>(bits), v); }
  static Value load_first(const float* from, int count) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
  }
  static void store_first(float* to, Value v, int count) {
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1), v);
  }

  // Eight columns by two channels: {even[0], odd[0], even[1], odd[1], ...}
  static Value interleave(const float* even, const float* odd) {
    const __m512i order = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    return _mm512_permutex2var_ps(half(even), order, half(odd));
  }
  static Value all_pairs(const float* pair) {
    return _mm512_castpd_ps(_mm512_set1_pd(*reinterpret_cast<const Pair*>(pair)));
  }
  // {v[0] + v[1], v[2] + v[3], ...}, zeros behind them
  static Value add_pairs(Value v) {
    const __m512i order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0);
    return _mm512_maskz_permutexvar_ps(0xff, order, v + _mm512_maskz_permute_ps(0xffff, v, 0b10'11'00'01));
  }

 private:
  using Pair [[gnu::aligned(4), gnu::may_alias]] = double;
  static Value half(const float* from) { return _mm512_castps256_ps512(_mm256_loadu_ps(from)); }
};

}  // namespace
}  // namespace neo
