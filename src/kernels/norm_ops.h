#pragma once

#include <torch/torch.h>

namespace neo {

// norm(x + change), where change may be one token for all of x's: a residual connection and the LayerNorm behind it in one pass, forward and backward, where
// LibTorch reads and writes everything three times as often. CPU, float32 and a multiple of 16 columns; elsewhere
// LibTorch.
torch::Tensor add_and_norm(const torch::Tensor& x, const torch::Tensor& change, const torch::nn::LayerNorm& norm);

}  // namespace neo
