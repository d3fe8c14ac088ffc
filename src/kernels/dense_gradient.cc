#include "kernels/dense_gradient.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/forms/form.h"
#include "kernels/precision.h"
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

// The same with neighbouring rows as pairs in bfloat16: [rows / 2, 16]. An odd row out meets zeros.
void pack_pairs(const float* from, int64_t rows, int64_t stride, int64_t columns, float* to) {
  static constexpr float kZeros[kTileColumns] = {};
  const auto round_two = rounded_form().round_two;
  for (int64_t r = 0; r < rows; r += 2, from += 2 * stride, to += kTileColumns)
    round_two(from, r + 1 < rows ? from + stride : kZeros, std::min<int64_t>(columns, kTileColumns), to);
}

// Some rows of a layer as a tile sees them, which adds their products to what it has.
struct Rows {
  const float *dy, *x;  // of the first row; x from the first column on
  int64_t count;
};

void add_exact(const DenseGradient& of, const Rows& rows, int64_t columns, Tile tile,
               std::vector<float>& panels) {
  constexpr int64_t kPanel = kRowsAtOnce * kTileColumns;
  panels.resize(static_cast<size_t>(panels_of(columns) * kPanel));
  for (int64_t column = 0; column < columns; column += kTileColumns)
    pack_panel(rows.x + column, rows.count, of.in, columns - column, panels.data() + column * kRowsAtOnce);
  tile.input = rows.dy;
  tile.input_stride = 1;
  tile.channels = rows.count;
  tile.channel_stride = of.out;
  tile.panel = panels.data();
  tile.panel_stride = kPanel;
  run_tile(tile, of.out);
}

void add_rounded(const DenseGradient& of, const Rows& rows, int64_t columns, Tile tile,
                 std::vector<float>& panels) {
  static thread_local std::vector<float> buffer;
  constexpr int64_t kPairs = kRowsAtOnce / 2, kPanel = kPairs * kTileColumns;
  panels.resize(static_cast<size_t>(panels_of(columns) * kPanel));
  buffer.resize(static_cast<size_t>(kPairs * of.out + of.out));
  float* dy = buffer.data();
  const std::vector<float> zeros(static_cast<size_t>(rows.count % 2 * of.out));
  const auto round_two = rounded_form().round_two;
  for (int64_t r = 0; r < rows.count; r += 2) {
    const float* even = rows.dy + r * of.out;
    round_two(even, r + 1 < rows.count ? even + of.out : zeros.data(), of.out, dy + r / 2 * of.out);
  }
  for (int64_t column = 0; column < columns; column += kTileColumns)
    pack_pairs(rows.x + column, rows.count, of.in, columns - column, panels.data() + column * kPairs);
  tile.input = dy;
  tile.input_stride = 1;
  tile.channels = (rows.count + 1) / 2;
  tile.channel_stride = of.out;
  tile.panel = panels.data();
  tile.panel_stride = kPanel;
  rounded_form().tile(tile, of.out);
}

}  // namespace

void weight_gradient_tile(const DenseGradient& of, int64_t column, float* gradient) {
  constexpr Tap kWhole{0, 0};
  const int64_t at_once = tile_columns(), columns = std::min(at_once, of.in - column);
  count_products(of.rows * of.out * columns);
  std::vector<float> panels, sums(static_cast<size_t>(of.out * at_once), 0.0f);
  const Tile tile{.taps = {&kWhole, 1},
                  .addends = {sums.data()},
                  .addend_stride = at_once,
                  .output = sums.data(),
                  .output_stride = at_once,
                  .columns = columns};
  const auto add = precision() == Precision::bf16 ? add_rounded : add_exact;
  for (int64_t first = 0; first < of.rows; first += kRowsAtOnce)
    add(of, {of.dy + first * of.out, of.x + first * of.in + column, std::min(kRowsAtOnce, of.rows - first)},
        columns, tile, panels);
  for (int64_t o = 0; o < of.out; ++o)
    std::copy_n(sums.data() + o * at_once, columns, gradient + o * of.in + column);
}

void bias_gradient(const DenseGradient& of, float* gradient) {
  form().column_sums(of.dy, of.rows, of.out, gradient);
}

}  // namespace neo
