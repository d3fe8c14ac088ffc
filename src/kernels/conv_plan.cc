#include "kernels/conv_plan.h"

#include <algorithm>

#include "kernels/forms/form.h"
#include "kernels/products.h"

namespace neo {
namespace {

// Each thread keeps its own: a call on a single image should not spend its time on fresh pages.
float* scratch(std::vector<float>& buffer, int64_t floats) {
  if (static_cast<int64_t>(buffer.size()) < floats) buffer.resize(static_cast<size_t>(floats));
  return buffer.data();
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
  const auto combine = form().combine;
  for (int64_t i = 0; i < images; ++i) combine(plan, source + i * plan.source_size, data + i * stride);
  return {data, stride};
}

}  // namespace

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
  const auto [input, input_stride] = combined(plan, source, images);
  const int64_t panels = panels_of(plan.target_channels);
  for (int64_t channel = 0; channel < plan.target_channels; channel += at_once) {
    const int64_t panel = channel / kTileColumns;
    for (const ConvPlan::Step& step : plan.steps) {
      Tile tile{
          .input = input,
          .input_stride = input_stride,
          .taps = {plan.taps.data() + step.tap_begin, plan.taps.data() + step.tap_end},
          .channels = plan.source_channels,
          .panel = plan.panels.data() + panel * plan.panel_size,
          .panel_stride = plan.panel_size,
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
      run_tile(tile, images);
    }
  }
}

}  // namespace neo
