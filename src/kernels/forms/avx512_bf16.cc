#if defined(__x86_64__)
#include "kernels/forms/avx512.h"
#include "kernels/forms/form.h"
#include "kernels/forms/peak_form.h"
#include "kernels/forms/tile_form.h"

namespace neo {
namespace {

// Where Avx512 holds a float, inputs and weights are two numbers rounded to bfloat16: half as many channels,
// and every multiply-add does two.
struct Avx512Bf16 : Avx512 {
  static Value multiply_add(Value a, Value b, Value sum) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
  static Value broadcast(const float* two) {  // bits, which must not be taken for a number
    return _mm512_castsi512_ps(_mm512_set1_epi32(*reinterpret_cast<const Bits*>(two)));
  }

 private:
  using Bits [[gnu::may_alias]] = int32_t;
};

constexpr int64_t kLanes = Avx512::kLanes;

__m512i rounded(__m512 even, __m512 odd) {  // {even[0], odd[0], even[1], ...}
  const __m512i evens = _mm512_maskz_cvtepu16_epi32(0xffff, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(even)));
  const __m512i odds = _mm512_maskz_cvtepu16_epi32(0xffff, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(odd)));
  return _mm512_or_si512(evens, _mm512_maskz_slli_epi32(0xffff, odds, 16));
}

void round_two(const float* even, const float* odd, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kLanes) {
    const int left = static_cast<int>(count - i < kLanes ? count - i : kLanes);
    const __m512i bits = rounded(Avx512::load_first(even + i, left), Avx512::load_first(odd + i, left));
    Avx512::store_first(to + i, _mm512_castsi512_ps(bits), left);
  }
}

void round_row(const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kLanes) {
    const int left = static_cast<int>(count - i < kLanes ? count - i : kLanes);
    const __m256bh bits = _mm512_cvtneps_pbh(Avx512::load_first(from + i, left));
    _mm256_mask_storeu_epi16(to + i / 2, static_cast<__mmask16>((1u << left) - 1),
                             reinterpret_cast<__m256i>(bits));
  }
}

}  // namespace

const RoundedForm kAvx512Bf16Form{.tile = &TileForm<Avx512Bf16>::run,
                                  .round_row = &round_row,
                                  .round_two = &round_two,
                                  .multiply_adds = &PeakForm<Avx512Bf16>::multiply_adds,
                                  .multiply_adds_per_round = 2 * PeakForm<Avx512Bf16>::kPerRound};

}  // namespace neo
#endif
