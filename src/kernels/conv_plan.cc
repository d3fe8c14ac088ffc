#include "kernels/conv_plan.h"

#include <algorithm>
#include <cstring>

#include "kernels/forms/form.h"
#include "kernels/precision.h"
#include "kernels/products.h"

namespace neo {
namespace {

// Each thread keeps its own: a call on a single image should not spend its time on fresh pages.
float* scratch(std::vector<float>& buffer, int64_t floats) {
  if (static_cast<int64_t>(buffer.size()) < floats) buffer.resize(static_cast<size_t>(floats));
  return buffer.data();
}

bool rounds(const ConvPlan& plan) { return precision() == Precision::bf16 && !plan.rounded_panels.empty(); }

// Some columns of a matrix side by side: [source, 16]. Whole rows are copied, and whole columns turned in squares that
// stay in registers and in the first cache level.
void pack(const float* from, const MatrixShape& m, int64_t columns, float* to) {
  if (m.right == 1 && columns == kTileColumns) {
    for (int64_t s = 0; s < m.source; ++s) std::memcpy(to + s * kTileColumns, from + s * m.down, kTileColumns * sizeof(float));
    return;
  }
  for (int64_t begin = 0; begin < m.source; begin += kTileColumns) {
    const int64_t end = std::min<int64_t>(begin + kTileColumns, m.source);
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t s = begin; s < end; ++s) to[s * kTileColumns + c] = from[s * m.down + c * m.right];
  }
}

// Where the taps of every image read, and how far images are apart.
struct Source {
  const float* data;
  int64_t stride;
};
Source summed(const ConvPlan& plan, const float* source, int64_t images) {
  if (plan.inputs.empty()) return {source, plan.source_size};
  static thread_local std::vector<float> buffer;
  const int64_t stride = static_cast<int64_t>(plan.inputs.size()) * plan.source_channels;
  float* data = scratch(buffer, images * stride);
  const auto combine = form().combine;
  for (int64_t i = 0; i < images; ++i) combine(plan, source + i * plan.source_size, data + i * stride);
  return {data, stride};
}

Source prepared(const ConvPlan& plan, const float* source, int64_t images) {
  const Source exact = summed(plan, source, images);
  if (!rounds(plan)) return exact;
  static thread_local std::vector<float> buffer;
  float* data = scratch(buffer, images * exact.stride / 2);
  rounded_form().round_row(exact.data, images * exact.stride, data);
  return {data, exact.stride / 2};
}

}  // namespace

ConvPlan dense_plan(const float* matrix, const MatrixShape& m) {
  ConvPlan plan;
  plan.source_channels = plan.source_size = m.source;
  plan.target_channels = plan.target_size = m.target;
  plan.taps = {{0, 0}};
  plan.steps = {{.tap_begin = 0, .tap_end = 1, .target = 0}};
  plan.panel_size = m.source * kTileColumns;
  plan.panels.resize(static_cast<size_t>(panels_of(m.target) * plan.panel_size));
  float* to = plan.panels.data();
  for (int64_t first = 0; first < m.target; first += kTileColumns, to += plan.panel_size)
    pack(matrix + first * m.right, m, std::min<int64_t>(kTileColumns, m.target - first), to);
  return plan;
}

void allow_rounding(ConvPlan& plan) {
  if (plan.source_channels % 2 != 0) return;
  for (const Tap& tap : plan.taps) plan.rounded_taps.push_back({tap.input / 2, tap.weight / 2});
  plan.rounded_panels.resize(plan.panels.size() / 2);
  const float* from = plan.panels.data();
  for (size_t at = 0; at < plan.rounded_panels.size(); at += kTileColumns, from += 2 * kTileColumns)
    rounded_form().round_two(from, from + kTileColumns, kTileColumns, plan.rounded_panels.data() + at);
}

int64_t ConvPlan::products() const {
  int64_t met = 0;
  for (const Step& step : steps) met += step.tap_end - step.tap_begin;
  return met * source_channels * target_channels;
}

// Panels outermost: those of one tile stay in the second-level cache while all pixels of the few images pass
// by.
void run_plan(const ConvPlan& plan, const float* source, float* target, int64_t images,
              const ConvBits& bits) {
  count_products(plan.products() * images);
  static thread_local std::vector<float> buffer;
  const int64_t at_once = tile_columns();
  float* slots = scratch(buffer, plan.slots * images * at_once);
  const auto slot = [&](int64_t index) { return slots + index * images * at_once; };
  const auto [input, input_stride] = prepared(plan, source, images);
  const bool rounded = rounds(plan);
  const auto run = rounded ? rounded_form().tile : form().tile;
  const int64_t in_one = rounded ? 2 : 1;  // channels that a float holds
  const std::vector<Tap>& taps = rounded ? plan.rounded_taps : plan.taps;
  const float* weights = rounded ? plan.rounded_panels.data() : plan.panels.data();
  const int64_t panels = panels_of(plan.target_channels);
  for (int64_t channel = 0; channel < plan.target_channels; channel += at_once) {
    const int64_t panel = channel / kTileColumns;
    for (const ConvPlan::Step& step : plan.steps) {
      Tile tile{
          .input = input,
          .input_stride = input_stride,
          .taps = {taps.data() + step.tap_begin, taps.data() + step.tap_end},
          .channels = plan.source_channels / in_one,
          .panel = weights + panel * plan.panel_size / in_one,
          .panel_stride = plan.panel_size / in_one,
          .addend_stride = at_once,
          .columns = std::min(at_once, plan.target_channels - channel),
      };
      for (size_t i = 0; i < step.addends.size(); ++i)
        if (step.addends[i] >= 0) tile.addends[i] = slot(step.addends[i]);
      if (step.target < 0) {
        tile.output = slot(-1 - step.target);
        tile.output_stride = at_once;
      } else {
        const int64_t word = step.target * panels + panel;
        tile.bias = plan.bias.empty() ? nullptr : plan.bias.data() + channel;
        tile.output = target + step.target * plan.target_channels + channel;
        tile.output_stride = plan.target_size;
        tile.relu = bits.relu;
        tile.positive = bits.positive ? bits.positive + word : nullptr;
        tile.keep = bits.keep ? bits.keep + word : nullptr;
        tile.bits_stride = bits.stride;
      }
      run(tile, images);
    }
  }
}

}  // namespace neo
