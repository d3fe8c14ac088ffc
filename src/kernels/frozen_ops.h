#pragma once

#include <torch/torch.h>

#include <memory>

#include "kernels/frozen_stack.h"

// FrozenStack on tensors. CPU, float32; the weights never get a gradient.
namespace neo {

// A convolution with the BatchNorm behind it (in evaluation mode) folded in.
struct ConvWeights {
  torch::Tensor weight;  // as LibTorch has it: [out, in, k, k], transposed [in, out, k, k], dense [out, in]
  torch::Tensor bias;    // [out]; undefined: none
};
struct BatchNormState {
  torch::Tensor weight, bias, mean, variance;  // [out]
  double epsilon = 1e-5;
};
ConvWeights fold_batch_norm(const ConvWeights& conv, const BatchNormState& norm, bool transposed);

ConvLayer make_layer(const ConvSpec& spec, const ConvWeights& weights);
CategoryConv make_category_conv(const ConvSpec& spec, const torch::Tensor& embedding,
                                const ConvWeights& weights);

// The rows of a flattened [C, H, W] (or with `columns` the columns) of a dense weight, reordered to
// [H, W, C], for dense layers that were trained beside channels-first convolutions.
torch::Tensor to_channels_last(const torch::Tensor& features, int64_t channels, int64_t height, int64_t width,
                               int64_t dim);

using FrozenStackPtr = std::shared_ptr<const FrozenStack>;

// x [B, ...] -> [B, out_size], with the gradient with respect to x.
torch::Tensor frozen_forward(const torch::Tensor& x, const FrozenStackPtr& stack);

// values uint8 [B, height, width] -> [B, out_size]; no gradient.
torch::Tensor frozen_forward_categories(const torch::Tensor& values, const FrozenStackPtr& stack);

// Decode many candidates without gradient first, decide which matter, and only then differentiate those:
//   auto all = frozen_record(candidates, stack);
//   auto chosen = frozen_replay(states, all.y.index_select(0, rows), all.bits.index_select(0, rows), stack);
// `chosen` equals frozen_forward(states) where row i of `states` is candidate rows[i], at no cost; its
// gradient needs the bits alone.
struct FrozenRecord {
  torch::Tensor y;     // [B, out_size]
  torch::Tensor bits;  // int16 [B, bits_size]
};
FrozenRecord frozen_record(const torch::Tensor& x, const FrozenStackPtr& stack);
torch::Tensor frozen_replay(const torch::Tensor& x, const torch::Tensor& y, const torch::Tensor& bits,
                            const FrozenStackPtr& stack);

}  // namespace neo
