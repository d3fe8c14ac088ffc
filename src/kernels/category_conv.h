#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/conv_layer.h"

namespace neo {

// The first convolution over an image of categories (colours, digits) that are embedded first. Embedding and
// weights are frozen, so the contribution of category v at tap t is one fixed vector, and the layer is a sum
// of table rows: sixteen times fewer operations than embedding 16 channels and convolving.
class CategoryConv {
 public:
  // embedding [categories, spec.in_channels], weight [out, in, k, k], bias [out]; spec not transposed.
  CategoryConv(const ConvSpec& spec, std::span<const float> embedding, std::span<const float> weight,
               std::span<const float> bias);

  const ConvSpec& spec() const { return spec_; }
  int64_t categories() const { return categories_; }
  int64_t in_size() const { return spec_.in_height * spec_.in_width; }  // bytes per image
  int64_t out_size() const { return spec_.out_size(); }
  // values [images, height, width] -> y [images, height, width, out_channels]. A value that is no category
  // counts as the last one; callers check their data where it enters.
  void forward(const uint8_t* values, int64_t images, float* y) const;

 private:
  ConvSpec spec_;
  int64_t categories_;
  std::vector<float> table_;          // [output channels / 32][tap][category][32]
  std::vector<float> bias_;           // [output channels, rounded up to 32]
  std::vector<Tap> taps_;             // input: pixel; weight: where the tap's rows start in a table
  std::vector<int32_t> pixel_begin_;  // taps of pixel p: [pixel_begin[p], pixel_begin[p + 1])
};

}  // namespace neo
