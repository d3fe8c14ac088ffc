#include "kernels/dense_gradient.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "kernels/tile.h"
#include "core/simd_clones.h"

namespace neo {
namespace {

constexpr int64_t kRowsAtOnce = 256;

// `columns` of each row, side by side: [rows, 16]. A whole panel's copy has a fixed size and needs no call.
void pack_columns(const float* from, int64_t rows, int64_t stride, int64_t columns, float* to) {
  for (int64_t r = 0; r < rows; ++r, from += stride, to += kTileColumns) {
    if (columns == kTileColumns) {
      std::memcpy(to, from, kTileColumns * sizeof(float));
    } else {
      std::copy_n(from, columns, to);
    }
  }
}

NEO_SIMD_CLONES void column_sums(const float* matrix, int64_t rows, int64_t columns, float* sums) {
  std::fill_n(sums, columns, 0.0f);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) sums[c] += matrix[r * columns + c];
}

}  // namespace

void weight_gradient_panel(const DenseGradient& of, int64_t panel, float* gradient) {
  constexpr Tap kWhole{0, 0};
  const int64_t columns = std::min<int64_t>(kTileColumns, of.in - panel * kTileColumns);
  std::array<float, kRowsAtOnce * kTileColumns> inputs{};
  std::vector<float> sums(static_cast<size_t>(of.out * kTileColumns), 0.0f);
  for (int64_t first = 0; first < of.rows; first += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, of.rows - first);
    pack_columns(of.x + first * of.in + panel * kTileColumns, count, of.in, columns, inputs.data());
    run_tile({.input = of.dy + first * of.out,
              .input_stride = 1,
              .taps = {&kWhole, 1},
              .channels = count,
              .channel_stride = of.out,
              .panel = inputs.data(),
              .addends = {sums.data()},
              .output = sums.data(),
              .output_stride = kTileColumns,
              .columns = kTileColumns},
             of.out);
  }
  for (int64_t o = 0; o < of.out; ++o)
    std::copy_n(sums.data() + o * kTileColumns, columns, gradient + o * of.in + panel * kTileColumns);
}

void bias_gradient(const DenseGradient& of, float* gradient) {
  column_sums(of.dy, of.rows, of.out, gradient);
}

}  // namespace neo
