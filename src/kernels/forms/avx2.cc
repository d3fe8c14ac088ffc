#if defined(__x86_64__)
#include <immintrin.h>

#include "kernels/forms/make_form.h"

namespace neo {
namespace {

// Six rows by two registers fill 12 of the 16 registers with sums; the other four hold one row of the panel
// and the broadcast input. It is the shape that keeps both multiply-add units busy. Where eight columns are
// all there is, twelve rows by one register do the same with half the products.
struct Avx2 {
  static constexpr int kLanes = 8;
  static constexpr int kVectors = 2;
  static constexpr int kSums = 12;
  using Value = __m256;

  static Value multiply_add(Value a, Value b, Value sum) { return _mm256_fmadd_ps(a, b, sum); }
  static unsigned positive(Value v) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GT_OQ)));
  }
  static Value keep(Value v, unsigned bits) {
    const __m256i one_bit = _mm256_sllv_epi32(_mm256_set1_epi32(1), lanes());
    const __m256i all = _mm256_set1_epi32(static_cast<int>(bits));
    return _mm256_and_ps(v, _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(all, one_bit), one_bit)));
  }
  static Value load_first(const float* from, int count) { return _mm256_maskload_ps(from, first(count)); }
  static void store_first(float* to, Value v, int count) { _mm256_maskstore_ps(to, first(count), v); }

 private:
  static __m256i first(int count) { return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), lanes()); }
  static __m256i lanes() { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
};

}  // namespace

const Form kAvx2Form = make_form<Avx2>();

}  // namespace neo
#endif
