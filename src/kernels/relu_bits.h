#pragma once

#include <torch/torch.h>

namespace neo {

// Signs of ReLUs are 16-bit words in the kernels, and int16 in a tensor: LibTorch has no unsigned ones.
inline uint16_t* words_of(const torch::Tensor& bits) {
  return reinterpret_cast<uint16_t*>(bits.data_ptr<int16_t>());
}

}  // namespace neo
