#include "kernels/conv_layer.h"

#include <algorithm>

#include "core/error.h"
#include "kernels/precision.h"

namespace neo {
namespace {

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

}  // namespace

AxisReach axis_reach(const ConvSpec& spec, bool transposed, int64_t source_extent, int64_t target_extent) {
  AxisReach axis(static_cast<size_t>(target_extent));
  for (int64_t target = 0; target < target_extent; ++target) {
    for (int64_t k = 0; k < spec.kernel; ++k) {
      const int64_t source = source_of(spec, transposed, target, k, source_extent);
      if (source >= 0) axis[static_cast<size_t>(target)].push_back({k, source});
    }
  }
  return axis;
}

int64_t ConvSpec::out_extent(int64_t in_extent) const {
  if (transposed) return (in_extent - 1) * stride - 2 * padding + kernel + output_padding;
  return (in_extent + 2 * padding - kernel) / stride + 1;
}

int64_t ConvSpec::bits_size() const {
  return relu ? out_height() * out_width() * panels_of(out_channels) : 0;
}

double ConvSpec::multiply_adds() const {
  auto meetings = [this](int64_t in, int64_t out) {
    double count = 0;
    for (const auto& target : axis_reach(*this, transposed, in, out))
      count += static_cast<double>(target.size());
    return count;
  };
  return meetings(in_height, out_height()) * meetings(in_width, out_width()) *
         static_cast<double>(in_channels * out_channels);
}

ConvSpec ConvSpec::dense(int64_t in, int64_t out, bool relu) {
  return {.in_channels = in, .out_channels = out, .kernel = 1, .relu = relu};
}

void check_sizes(const ConvSpec& spec, std::span<const float> weight, std::span<const float> bias) {
  NEO_CHECK_LT(0, spec.stride);
  NEO_CHECK_LT(0, spec.kernel);
  NEO_CHECK_LT(0, spec.out_height());
  NEO_CHECK_LT(0, spec.out_width());
  const int64_t weights = spec.in_channels * spec.out_channels * spec.kernel * spec.kernel;
  NEO_CHECK_EQ(static_cast<int64_t>(weight.size()), weights);
  if (!bias.empty()) NEO_CHECK_EQ(static_cast<int64_t>(bias.size()), spec.out_channels);
}

ConvLayer::ConvLayer(const ConvSpec& spec, std::span<const float> weight, std::span<const float> bias)
    : spec_(spec) {
  check_sizes(spec, weight, bias);
  const int64_t in = spec.in_channels, out = spec.out_channels, taps = spec.kernel * spec.kernel;
  const ImageExtent input{spec.in_height, spec.in_width, in};
  const ImageExtent output{spec.out_height(), spec.out_width(), out};
  const auto at = [&](int64_t y, int64_t x, int64_t i, int64_t o) {
    return weight[static_cast<size_t>((spec.transposed ? i * out + o : o * in + i) * taps + y * spec.kernel +
                                      x)];
  };
  const auto plan = [&](bool transposed, const ImageExtent& from, const ImageExtent& to, const WeightAt& w) {
    return make_plan(from, to, axis_reach(spec, transposed, from.height, to.height),
                     axis_reach(spec, transposed, from.width, to.width), w);
  };
  forward_ = plan(spec.transposed, input, output, at);
  backward_ = plan(!spec.transposed, output, input,
                   [&](int64_t y, int64_t x, int64_t o, int64_t i) { return at(y, x, i, o); });
  forward_.bias.assign(static_cast<size_t>(panels_of(out) * kTileColumns), 0.0f);
  std::copy(bias.begin(), bias.end(), forward_.bias.begin());
}

void ConvLayer::allow_rounding() {
  if (!is_possible(Precision::bf16)) return;
  for (ConvPlan* plan : {&forward_, &backward_}) neo::allow_rounding(*plan);
}

}  // namespace neo
