#include "kernels/tile.h"

#include <algorithm>
#include <array>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace neo {
namespace {

// Six images by two registers fill 12 of AVX2's 16 registers with sums; the other four hold one row of the
// panel and the broadcast input. It is the shape that keeps both multiply-add units busy. Where eight
// channels are all there is, twelve images by one register do the same with half the products.
constexpr int kSums = 12;
constexpr int kLanes = 8;

struct Portable {
  template <int Rows, int Halves>
  static void block(const Tile& tile, int64_t first) {
    constexpr int kColumns = Halves * kLanes;
    float sum[Rows][kColumns];
    for (int r = 0; r < Rows; ++r) {
      for (int c = 0; c < kColumns; ++c) {
        sum[r][c] = tile.bias ? tile.bias[c] : 0.0f;
        for (const float* addend : tile.addends)
          if (addend) sum[r][c] += addend[(first + r) * kTileColumns + c];
      }
    }
    const float* images = tile.input + first * tile.input_stride;
    for (const Tap& tap : tile.taps) {
      const float* input = images + tap.input;
      const float* weights = tile.panel + tap.weight;
      for (int64_t k = 0; k < tile.channels; ++k, weights += kTileColumns)
        for (int r = 0; r < Rows; ++r)
          for (int c = 0; c < kColumns; ++c)
            sum[r][c] += input[r * tile.input_stride + k * tile.channel_stride] * weights[c];
    }
    for (int r = 0; r < Rows; ++r) store(tile, first + r, sum[r]);
  }

  static void store(const Tile& tile, int64_t image, const float* sum) {
    float* output = tile.output + image * tile.output_stride;
    const int64_t bits = image * tile.bits_stride;
    unsigned positive = 0;
    for (int c = 0; c < tile.columns; ++c) {
      const bool kept = !tile.keep || (tile.keep[bits] >> c & 1);
      const bool clipped = tile.relu && sum[c] <= 0.0f;  // false for NaN, which must stay visible
      output[c] = !kept || clipped ? 0.0f : sum[c];
      positive |= unsigned{sum[c] > 0.0f} << c;
    }
    if (tile.positive) tile.positive[bits] = static_cast<uint16_t>(positive);
  }
};

#if defined(__x86_64__)
#define NEO_AVX2 [[gnu::target("avx2,fma")]]

struct Avx2 {
  NEO_AVX2 static __m256i lanes() { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }

  // All ones in the lanes whose bit is set.
  NEO_AVX2 static __m256i expand(unsigned bits) {
    const __m256i one_bit = _mm256_sllv_epi32(_mm256_set1_epi32(1), lanes());
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), one_bit), one_bit);
  }

  template <int Rows, int Halves>
  NEO_AVX2 static void block(const Tile& tile, int64_t first) {
    const int64_t stride = tile.input_stride, step = tile.channel_stride;
    const float* images = tile.input + first * stride;
    __m256 sum[Rows][Halves];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
      for (int h = 0; h < Halves; ++h)
        sum[r][h] = tile.bias ? _mm256_loadu_ps(tile.bias + 8 * h) : _mm256_setzero_ps();
    for (const float* addend : tile.addends) {
      if (!addend) continue;
#pragma GCC unroll 12
      for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 2
        for (int h = 0; h < Halves; ++h)
          sum[r][h] = _mm256_add_ps(sum[r][h], _mm256_loadu_ps(addend + (first + r) * kTileColumns + 8 * h));
    }
    for (const Tap& tap : tile.taps) {
      const float* input = images + tap.input;
      const float* weights = tile.panel + tap.weight;
      for (int64_t k = 0; k < tile.channels; ++k, input += step, weights += kTileColumns) {
        __m256 weight[Halves];
#pragma GCC unroll 2
        for (int h = 0; h < Halves; ++h) weight[h] = _mm256_loadu_ps(weights + 8 * h);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
          const __m256 value = _mm256_broadcast_ss(input + r * stride);
#pragma GCC unroll 2
          for (int h = 0; h < Halves; ++h) sum[r][h] = _mm256_fmadd_ps(value, weight[h], sum[r][h]);
        }
      }
    }
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r)
      store(tile, first + r, sum[r][0], Halves == 2 ? sum[r][Halves - 1] : _mm256_setzero_ps());
  }

  NEO_AVX2 static void store(const Tile& tile, int64_t image, __m256 low, __m256 high) {
    const __m256 zero = _mm256_setzero_ps();
    const int64_t bits = image * tile.bits_stride;
    if (tile.positive) {
      const int positive = _mm256_movemask_ps(_mm256_cmp_ps(low, zero, _CMP_GT_OQ)) |
                           _mm256_movemask_ps(_mm256_cmp_ps(high, zero, _CMP_GT_OQ)) << 8;
      tile.positive[bits] = static_cast<uint16_t>(positive);
    }
    if (tile.relu) {  // max returns its second operand for NaN, which must stay visible
      low = _mm256_max_ps(zero, low);
      high = _mm256_max_ps(zero, high);
    }
    if (tile.keep) {
      low = _mm256_and_ps(low, _mm256_castsi256_ps(expand(tile.keep[bits])));
      high = _mm256_and_ps(high, _mm256_castsi256_ps(expand(tile.keep[bits] >> 8)));
    }
    float* output = tile.output + image * tile.output_stride;
    if (tile.columns == kTileColumns) {
      _mm256_storeu_ps(output, low);
      _mm256_storeu_ps(output + 8, high);
    } else {
      _mm256_maskstore_ps(output, _mm256_cmpgt_epi32(_mm256_set1_epi32(tile.columns), lanes()), low);
      if (tile.columns > 8)
        _mm256_maskstore_ps(output + 8, _mm256_cmpgt_epi32(_mm256_set1_epi32(tile.columns - 8), lanes()),
                            high);
    }
  }
};
#endif

template <typename Isa, int Halves, size_t... Rows>
constexpr auto blocks(std::index_sequence<Rows...>) {
  return std::array<void (*)(const Tile&, int64_t), sizeof...(Rows)>{
      &Isa::template block<Rows + 1, Halves>...};
}

template <typename Isa, int Halves>
void run_halves(const Tile& tile, int64_t images) {
  constexpr int kRows = kSums / Halves;
  static constexpr auto kBlocks = blocks<Isa, Halves>(std::make_index_sequence<kRows>());  // for 1 to kRows
  for (int64_t first = 0; first < images; first += kRows)
    kBlocks[static_cast<size_t>(std::min<int64_t>(kRows, images - first) - 1)](tile, first);
}

template <typename Isa>
void run(const Tile& tile, int64_t images) {
  if (tile.columns <= kLanes) return run_halves<Isa, 1>(tile, images);
  run_halves<Isa, 2>(tile, images);
}

}  // namespace

Instructions best_instructions() {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) return Instructions::avx2;
#endif
  return Instructions::portable;
}

void run_tile(const Tile& tile, int64_t images, Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx2) return run<Avx2>(tile, images);
#endif
  static_cast<void>(instructions);
  run<Portable>(tile, images);
}

}  // namespace neo
