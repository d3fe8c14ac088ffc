#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/category_conv.h"
#include "kernels/conv_layer.h"

namespace neo {

// Frozen layers one after the other, run on a few images per thread at a time, so that everything between
// the first input and the last output stays in that thread's cache. Neighbouring layers may see the same
// numbers differently (a dense layer's 1x1x1024 is the next one's 2x2x256).
//
// A result is a function of its own image alone, to the last bit: batch size, position in the batch and
// number of threads do not matter. So results may be memoised, and a run resumed, without a trace.
class FrozenStack {
 public:
  // With a `front`, the stack reads images of categories and has no gradient.
  explicit FrozenStack(std::vector<ConvLayer> layers, std::optional<CategoryConv> front = std::nullopt);

  const std::vector<ConvLayer>& layers() const { return layers_; }
  const std::optional<CategoryConv>& front() const { return front_; }
  int64_t in_size() const { return layers_.front().spec().in_size(); }  // behind the front
  int64_t out_size() const { return layers_.back().spec().out_size(); }
  int64_t bits_size() const { return bits_size_; }  // 16-bit words per image: one bit per ReLU
  double multiply_adds() const;                     // per image, one direction, without the front

  // x [images, in] -> y [images, out]. `bits` [images, bits_size] records where each ReLU was open; it is
  // all that backward() needs of the forward pass. May be null.
  void forward(const float* x, int64_t images, float* y, uint16_t* bits) const;
  // dy [images, out] -> dx [images, in], with the bits of the same images.
  void backward(const float* dy, int64_t images, const uint16_t* bits, float* dx) const;
  // values [images, height, width] through the front -> y [images, out]
  void forward_categories(const uint8_t* values, int64_t images, float* y) const;

 private:
  class Scratch;
  void forward_chunk(const float* x, int64_t images, float* y, uint16_t* bits, Scratch& scratch) const;
  void backward_chunk(const float* dy, int64_t images, const uint16_t* bits, float* dx,
                      Scratch& scratch) const;

  std::vector<ConvLayer> layers_;
  std::optional<CategoryConv> front_;
  std::vector<int64_t> bits_begin_;  // where each layer's words start within an image's
  int64_t bits_size_ = 0;
  int64_t widest_ = 0;  // floats per image between any two layers
};

}  // namespace neo
