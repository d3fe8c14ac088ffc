#pragma once

#include <torch/torch.h>

namespace neo {

// softmax(q k' / sqrt(width)) v for each head, differentiable. query [B, Tq, d], memory [B, Tk, 2d] (keys,
// then values) -> [B, Tq, d]. Few tokens and heads of width 16 on the CPU run on the kernel, all else on
// LibTorch.
torch::Tensor attention(const torch::Tensor& query, const torch::Tensor& memory, int64_t heads);

}  // namespace neo
