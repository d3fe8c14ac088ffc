#pragma once

#include <torch/torch.h>

#include <vector>

namespace neo {

struct DenseLayer {
  torch::Tensor weight, bias;  // [out, in], [out]
  bool relu = false;
};

// x W' + b, layer after layer, each perhaps with a ReLU: [..., in] -> [..., out]. To the graph it is one
// node. For many rows and few columns, where a general matrix product spends a quarter of its time on copying
// its operands into place, and LibTorch another pass each on bias and ReLU and as long again on its
// bookkeeping. The tile of the convolutions needs none of that, and a thread takes its rows through all
// layers. Results and gradients do not depend on the number of threads. CPU and float32; elsewhere LibTorch.
torch::Tensor dense(const torch::Tensor& x, const std::vector<DenseLayer>& layers);

// The same for a sequence of Linear and ReLU.
torch::Tensor dense(const torch::Tensor& x, const torch::nn::Sequential& layers);

}  // namespace neo
