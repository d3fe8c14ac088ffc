#include "kernels/conv_layer.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <functional>

namespace neo {
namespace {

int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// Which source coordinate meets `target` at kernel position `k`, or -1. A convolution reads
// target * stride - padding + k; a transposed one is read from where target = source * stride - padding + k.
// The gradient of either is the other, with the same weights.
int64_t source_of(const ConvSpec& spec, bool transposed, int64_t target, int64_t k, int64_t source_extent) {
  int64_t source;
  if (transposed) {
    const int64_t scaled = target + spec.padding - k;
    if (scaled < 0 || scaled % spec.stride != 0) return -1;
    source = scaled / spec.stride;
  } else {
    source = target * spec.stride - spec.padding + k;
  }
  return source >= 0 && source < source_extent ? source : -1;
}

struct Extent {
  int64_t height, width, channels;
};

void add_pixel_taps(ConvPlan& plan, const ConvSpec& spec, bool transposed, Extent source, int64_t row,
                    int64_t column) {
  for (int64_t ky = 0; ky < spec.kernel; ++ky) {
    const int64_t y = source_of(spec, transposed, row, ky, source.height);
    for (int64_t kx = 0; y >= 0 && kx < spec.kernel; ++kx) {
      const int64_t x = source_of(spec, transposed, column, kx, source.width);
      if (x < 0) continue;
      plan.taps.push_back({static_cast<int32_t>((y * source.width + x) * source.channels),
                           static_cast<int32_t>((ky * spec.kernel + kx) * source.channels * kTileColumns)});
    }
  }
  plan.pixel_begin.push_back(static_cast<int32_t>(plan.taps.size()));
}

// weight_at(tap, source channel, target channel)
using WeightAt = std::function<float(int64_t, int64_t, int64_t)>;

ConvPlan make_plan(const ConvSpec& spec, bool transposed, Extent source, Extent target,
                   const WeightAt& weight_at) {
  ConvPlan plan;
  plan.source_channels = source.channels;
  plan.target_channels = target.channels;
  plan.source_size = source.height * source.width * source.channels;
  plan.target_size = target.height * target.width * target.channels;
  plan.pixel_begin = {0};
  for (int64_t y = 0; y < target.height; ++y)
    for (int64_t x = 0; x < target.width; ++x) add_pixel_taps(plan, spec, transposed, source, y, x);

  const int64_t taps = spec.kernel * spec.kernel;
  plan.panel_size = taps * source.channels * kTileColumns;
  plan.panels.assign(
      static_cast<size_t>(round_up(target.channels, kTileColumns) / kTileColumns * plan.panel_size), 0);
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t s = 0; s < source.channels; ++s)
      for (int64_t t = 0; t < target.channels; ++t)
        plan.panels[static_cast<size_t>(t / kTileColumns * plan.panel_size +
                                        (tap * source.channels + s) * kTileColumns + t % kTileColumns)] =
            weight_at(tap, s, t);
  return plan;
}

}  // namespace

int64_t ConvSpec::out_extent(int64_t in_extent) const {
  if (transposed) return (in_extent - 1) * stride - 2 * padding + kernel + output_padding;
  return (in_extent + 2 * padding - kernel) / stride + 1;
}

int64_t ConvSpec::bits_size() const {
  return relu ? out_height() * out_width() * round_up(out_channels, kTileColumns) / kTileColumns : 0;
}

double ConvSpec::multiply_adds() const {
  auto meetings = [this](int64_t in, int64_t out) {
    int64_t count = 0;
    for (int64_t target = 0; target < out; ++target)
      for (int64_t k = 0; k < kernel; ++k) count += source_of(*this, transposed, target, k, in) >= 0;
    return static_cast<double>(count);
  };
  return meetings(in_height, out_height()) * meetings(in_width, out_width()) *
         static_cast<double>(in_channels * out_channels);
}

ConvSpec ConvSpec::dense(int64_t in, int64_t out, bool relu) {
  return {.in_channels = in, .out_channels = out, .kernel = 1, .relu = relu};
}

ConvLayer::ConvLayer(const ConvSpec& spec, std::span<const float> weight, std::span<const float> bias)
    : spec_(spec) {
  TORCH_CHECK(spec.stride > 0 && spec.kernel > 0 && spec.out_height() > 0 && spec.out_width() > 0,
              "a convolution of ", spec.in_height, "x", spec.in_width, " pixels has no output");
  const int64_t in = spec.in_channels, out = spec.out_channels, taps = spec.kernel * spec.kernel;
  TORCH_CHECK(static_cast<int64_t>(weight.size()) == in * out * taps, "expected ", in * out * taps,
              " weights, got ", weight.size());
  TORCH_CHECK(bias.empty() || static_cast<int64_t>(bias.size()) == out, "expected ", out, " biases, got ",
              bias.size());

  auto at = [=, this](int64_t tap, int64_t i, int64_t o) {
    return weight[static_cast<size_t>((spec_.transposed ? i * out + o : o * in + i) * taps + tap)];
  };
  const Extent input{spec.in_height, spec.in_width, in}, output{spec.out_height(), spec.out_width(), out};
  forward_ = make_plan(spec, spec.transposed, input, output, at);
  backward_ = make_plan(spec, !spec.transposed, output, input,
                        [&](int64_t tap, int64_t o, int64_t i) { return at(tap, i, o); });
  forward_.bias.assign(static_cast<size_t>(round_up(out, kTileColumns)), 0.0f);
  std::copy(bias.begin(), bias.end(), forward_.bias.begin());
}

// Panels outermost: one panel stays in the second-level cache while all pixels of the few images pass by.
void run_plan(const ConvPlan& plan, const float* source, float* target, int64_t images,
              const ConvBits& bits) {
  const int64_t panels = round_up(plan.target_channels, kTileColumns) / kTileColumns;
  for (int64_t panel = 0; panel < panels; ++panel) {
    for (int64_t pixel = 0; pixel < plan.pixels(); ++pixel) {
      const auto p = static_cast<size_t>(pixel);
      const int64_t channel = panel * kTileColumns, word = pixel * panels + panel;
      const Tile tile{
          .input = source,
          .input_stride = plan.source_size,
          .taps = {plan.taps.data() + plan.pixel_begin[p], plan.taps.data() + plan.pixel_begin[p + 1]},
          .channels = plan.source_channels,
          .panel = plan.panels.data() + panel * plan.panel_size,
          .bias = plan.bias.empty() ? nullptr : plan.bias.data() + channel,
          .output = target + pixel * plan.target_channels + channel,
          .output_stride = plan.target_size,
          .columns = static_cast<int>(std::min<int64_t>(kTileColumns, plan.target_channels - channel)),
          .relu = bits.relu,
          .positive = bits.positive ? bits.positive + word : nullptr,
          .keep = bits.keep ? bits.keep + word : nullptr,
          .bits_stride = bits.stride,
      };
      run_tile(tile, images);
    }
  }
}

}  // namespace neo
