#include "kernels/conv_plan.h"

#include <algorithm>

#include "core/simd_clones.h"

namespace neo {
namespace {

// Each thread keeps its own: a call on a single image should not spend its time on fresh pages.
float* scratch(std::vector<float>& buffer, int64_t floats) {
  if (static_cast<int64_t>(buffer.size()) < floats) buffer.resize(static_cast<size_t>(floats));
  return buffer.data();
}

// Along each axis a pixel, or one less another: one, two or four terms.
NEO_SIMD_CLONES void combine(const ConvPlan& plan, const float* image, float* out) {
  const int64_t channels = plan.source_channels;
  for (const ConvPlan::Input& input : plan.inputs) {
    const float* a = image + input.plus[0] * channels;
    const float* b = image + input.minus[0] * channels;
    if (input.terms == 1) {
      for (int64_t c = 0; c < channels; ++c) out[c] = a[c];
    } else if (input.terms == 2) {
      for (int64_t c = 0; c < channels; ++c) out[c] = a[c] - b[c];
    } else {
      const float* d = image + input.plus[1] * channels;
      const float* e = image + input.minus[1] * channels;
      for (int64_t c = 0; c < channels; ++c) out[c] = (a[c] - b[c]) + (d[c] - e[c]);
    }
    out += channels;
  }
}

// Where the taps of every image read, and how far images are apart.
struct Source {
  const float* data;
  int64_t stride;
};
Source combined(const ConvPlan& plan, const float* source, int64_t images) {
  if (plan.inputs.empty()) return {source, plan.source_size};
  static thread_local std::vector<float> buffer;
  const int64_t stride = static_cast<int64_t>(plan.inputs.size()) * plan.source_channels;
  float* data = scratch(buffer, images * stride);
  for (int64_t i = 0; i < images; ++i) combine(plan, source + i * plan.source_size, data + i * stride);
  return {data, stride};
}

}  // namespace

// Panels outermost: one panel stays in the second-level cache while all pixels of the few images pass by.
void run_plan(const ConvPlan& plan, const float* source, float* target, int64_t images,
              const ConvBits& bits) {
  static thread_local std::vector<float> buffer;
  float* slots = scratch(buffer, plan.slots * images * kTileColumns);
  const auto slot = [&](int64_t index) { return slots + index * images * kTileColumns; };
  const auto [input, input_stride] = combined(plan, source, images);
  const int64_t panels = panels_of(plan.target_channels);
  for (int64_t panel = 0; panel < panels; ++panel) {
    const int64_t channel = panel * kTileColumns;
    for (const ConvPlan::Step& step : plan.steps) {
      Tile tile{
          .input = input,
          .input_stride = input_stride,
          .taps = {plan.taps.data() + step.tap_begin, plan.taps.data() + step.tap_end},
          .channels = plan.source_channels,
          .panel = plan.panels.data() + panel * plan.panel_size,
          .columns = static_cast<int>(std::min<int64_t>(kTileColumns, plan.target_channels - channel)),
      };
      for (size_t i = 0; i < step.addends.size(); ++i)
        if (step.addends[i] >= 0) tile.addends[i] = slot(step.addends[i]);
      if (step.target < 0) {
        tile.output = slot(-1 - step.target);
        tile.output_stride = kTileColumns;
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
      run_tile(tile, images);
    }
  }
}

}  // namespace neo
