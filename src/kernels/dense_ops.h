#pragma once

#include <torch/torch.h>

namespace neo {

// x W' + b, perhaps with a ReLU: [..., in] -> [..., out], W [out, in], b [out]. For many rows and few
// columns, where a general matrix product spends a quarter of its time on copying its operands into place and
// another pass each on bias and ReLU; the tile of the convolutions needs neither. CPU and float32; elsewhere
// LibTorch.
torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias,
                    bool relu = false);

}  // namespace neo
