#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/conv_plan.h"
#include "kernels/minimal_filter.h"

namespace neo {

// A convolution, transposed convolution or dense layer (kernel 1 on a 1x1 image) whose weights are frozen.
// Channels are innermost: an image is [height, width, channels].
struct ConvSpec {
  int64_t in_channels = 0;
  int64_t out_channels = 0;
  int64_t in_height = 1;
  int64_t in_width = 1;
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t output_padding = 0;  // transposed only
  bool transposed = false;
  bool relu = false;

  int64_t out_extent(int64_t in_extent) const;
  int64_t out_height() const { return out_extent(in_height); }
  int64_t out_width() const { return out_extent(in_width); }
  int64_t in_size() const { return in_height * in_width * in_channels; }
  int64_t out_size() const { return out_height() * out_width() * out_channels; }
  int64_t bits_size() const;     // 16-bit words that hold one image's ReLU signs
  double multiply_adds() const;  // per image, only those that meet a pixel

  static ConvSpec dense(int64_t in, int64_t out, bool relu = false);
};

// Along one axis, for the layer itself or, with the other `transposed`, for its gradient.
AxisReach axis_reach(const ConvSpec& spec, bool transposed, int64_t source_extent, int64_t target_extent);

void check_sizes(const ConvSpec& spec, std::span<const float> weight, std::span<const float> bias);

class ConvLayer {
 public:
  // `weight` as LibTorch has it: [out, in, k, k], transposed [in, out, k, k]; `bias` [out] or empty.
  ConvLayer(const ConvSpec& spec, std::span<const float> weight, std::span<const float> bias);

  // The layer's products need not be exact: see allow_rounding().
  void allow_rounding();

  const ConvSpec& spec() const { return spec_; }
  const ConvPlan& forward_plan() const { return forward_; }    // x -> y
  const ConvPlan& backward_plan() const { return backward_; }  // dy -> dx

 private:
  ConvSpec spec_;
  ConvPlan forward_;
  ConvPlan backward_;
};

}  // namespace neo
