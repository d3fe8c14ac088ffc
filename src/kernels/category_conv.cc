#include "kernels/category_conv.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/simd_clones.h"

namespace neo {
namespace {

constexpr int64_t kWidth = 32;  // channels summed in one pass: four AVX registers
using Lanes [[gnu::vector_size(32)]] = float;
// Spell the type where it is used: `auto` would drop the alignment.
using Unaligned [[gnu::aligned(4), gnu::may_alias]] = Lanes;

// 32 channels of every pixel of one image.
struct Rows {
  std::span<const Tap> taps;
  std::span<const int32_t> pixel_begin;
  const float* table;  // [tap][category][32]
  const float* bias;   // [32]
  int64_t categories;
  int64_t channels;  // of the output
  int64_t columns;   // <= 32 to store
  bool relu;
};

NEO_SIMD_CLONES void sum_rows(const Rows& rows, const uint8_t* values, float* y) {
  const Unaligned* bias = reinterpret_cast<const Unaligned*>(rows.bias);
  for (size_t pixel = 0; pixel + 1 < rows.pixel_begin.size(); ++pixel, y += rows.channels) {
    Lanes a = bias[0], b = bias[1], c = bias[2], d = bias[3];
    for (int32_t i = rows.pixel_begin[pixel]; i < rows.pixel_begin[pixel + 1]; ++i) {
      const Tap tap = rows.taps[static_cast<size_t>(i)];
      const int64_t value = std::min<int64_t>(values[tap.input], rows.categories - 1);
      const Unaligned* row = reinterpret_cast<const Unaligned*>(rows.table + tap.weight + value * kWidth);
      a += row[0];
      b += row[1];
      c += row[2];
      d += row[3];
    }
    if (rows.relu) {
      a = a < 0.0f ? Lanes{} : a;
      b = b < 0.0f ? Lanes{} : b;
      c = c < 0.0f ? Lanes{} : c;
      d = d < 0.0f ? Lanes{} : d;
    }
    const Unaligned result[4] = {a, b, c, d};
    if (rows.columns == kWidth)
      for (int i = 0; i < 4; ++i) reinterpret_cast<Unaligned*>(y)[i] = result[i];
    else
      std::memcpy(y, result, static_cast<size_t>(rows.columns) * sizeof(float));
  }
}

}  // namespace

CategoryConv::CategoryConv(const ConvSpec& spec, std::span<const float> embedding,
                           std::span<const float> weight, std::span<const float> bias)
    : spec_(spec), categories_(static_cast<int64_t>(embedding.size()) / spec.in_channels) {
  NEO_CHECK_EQ(spec.transposed, false);
  NEO_CHECK_LT(0, categories_);
  NEO_CHECK_EQ(static_cast<int64_t>(embedding.size()), categories_ * spec.in_channels);
  check_sizes(spec, weight, bias);
  const int64_t in = spec.in_channels, out = spec.out_channels, taps = spec.kernel * spec.kernel;
  const int64_t passes = (out + kWidth - 1) / kWidth;
  bias_.assign(static_cast<size_t>(passes * kWidth), 0.0f);
  std::copy(bias.begin(), bias.end(), bias_.begin());
  pixel_begin_ = {0};
  const AxisReach columns = axis_reach(spec, false, spec.in_width, spec.out_width());
  for (const auto& row : axis_reach(spec, false, spec.in_height, spec.out_height())) {
    for (const auto& column : columns) {
      for (const auto& [ky, y] : row)
        for (const auto& [kx, x] : column)
          taps_.push_back({static_cast<int32_t>(y * spec.in_width + x),
                           static_cast<int32_t>((ky * spec.kernel + kx) * categories_ * kWidth)});
      pixel_begin_.push_back(static_cast<int32_t>(taps_.size()));
    }
  }

  table_.assign(static_cast<size_t>(passes * taps * categories_ * kWidth), 0.0f);
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t value = 0; value < categories_; ++value)
      for (int64_t o = 0; o < out; ++o) {
        double sum = 0;
        for (int64_t i = 0; i < in; ++i)
          sum += double{embedding[static_cast<size_t>(value * in + i)]} *
                 weight[static_cast<size_t>((o * in + i) * taps + tap)];
        table_[static_cast<size_t>(((o / kWidth * taps + tap) * categories_ + value) * kWidth + o % kWidth)] =
            static_cast<float>(sum);
      }
}

void CategoryConv::forward(const uint8_t* values, int64_t images, float* y) const {
  const int64_t table_size = spec_.kernel * spec_.kernel * categories_ * kWidth;
  for (int64_t channel = 0; channel < spec_.out_channels; channel += kWidth) {
    const Rows rows{.taps = taps_,
                    .pixel_begin = pixel_begin_,
                    .table = table_.data() + channel / kWidth * table_size,
                    .bias = bias_.data() + channel,
                    .categories = categories_,
                    .channels = spec_.out_channels,
                    .columns = std::min<int64_t>(kWidth, spec_.out_channels - channel),
                    .relu = spec_.relu};
    for (int64_t image = 0; image < images; ++image)
      sum_rows(rows, values + image * in_size(), y + image * out_size() + channel);
  }
}

}  // namespace neo
