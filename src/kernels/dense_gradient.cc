#include "kernels/dense_gradient.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/forms/form.h"
#include "kernels/products.h"

namespace neo {
namespace {

constexpr int64_t kRowsAtOnce = 256;

// A panel's columns of each row, side by side: [rows, 16]. A whole panel's copy has a fixed size and needs no
// call.
void pack_panel(const float* from, int64_t rows, int64_t stride, int64_t columns, float* to) {
  for (int64_t r = 0; r < rows; ++r, from += stride, to += kTileColumns) {
    if (columns >= kTileColumns) {
      std::memcpy(to, from, kTileColumns * sizeof(float));
    } else {
      std::copy_n(from, columns, to);
    }
  }
}

}  // namespace

void weight_gradient_tile(const DenseGradient& of, int64_t column, float* gradient) {
  constexpr Tap kWhole{0, 0};
  constexpr int64_t kPanel = kRowsAtOnce * kTileColumns;
  const int64_t at_once = tile_columns(), columns = std::min(at_once, of.in - column);
  count_products(of.rows * of.out * columns);
  std::vector<float> inputs(static_cast<size_t>(panels_of(columns) * kPanel), 0.0f);
  std::vector<float> sums(static_cast<size_t>(of.out * at_once), 0.0f);
  for (int64_t first = 0; first < of.rows; first += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, of.rows - first);
    for (int64_t panel = 0; panel < panels_of(columns); ++panel) {
      const int64_t begin = panel * kTileColumns;
      pack_panel(of.x + first * of.in + column + begin, count, of.in, columns - begin,
                 inputs.data() + panel * kPanel);
    }
    run_tile({.input = of.dy + first * of.out,
              .input_stride = 1,
              .taps = {&kWhole, 1},
              .channels = count,
              .channel_stride = of.out,
              .panel = inputs.data(),
              .panel_stride = kPanel,
              .addends = {sums.data()},
              .addend_stride = at_once,
              .output = sums.data(),
              .output_stride = at_once,
              .columns = columns},
             of.out);
  }
  for (int64_t o = 0; o < of.out; ++o)
    std::copy_n(sums.data() + o * at_once, columns, gradient + o * of.in + column);
}

void bias_gradient(const DenseGradient& of, float* gradient) {
  form().column_sums(of.dy, of.rows, of.out, gradient);
}

}  // namespace neo
