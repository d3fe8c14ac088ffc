#pragma once

#include <torch/torch.h>

#include <vector>

#include "kernels/dense_ops.h"

namespace neo {

// The passes of `dense` through a chain of layers, on contiguous float32 rows on the CPU.

struct DenseActivations {
  std::vector<torch::Tensor> values;  // the input, then what each layer makes of it: [rows, width]
  torch::Tensor bits;                 // which results of a ReLU were positive
};
DenseActivations dense_forward(const torch::Tensor& x, const std::vector<DenseLayer>& layers);

// Element i + 1: the gradient of layer i's sums, before its ReLU; `dy` is that of the last layer's. Element
// 0: the input's, if it is wanted.
std::vector<torch::Tensor> dense_backward(const torch::Tensor& dy, const std::vector<DenseLayer>& layers,
                                          const torch::Tensor& bits, bool of_input);

// Of weight and bias of each layer, from what it took and the gradients of its sums.
std::vector<torch::Tensor> dense_parameter_gradients(const std::vector<torch::Tensor>& values,
                                                     const std::vector<torch::Tensor>& gradients);

}  // namespace neo
