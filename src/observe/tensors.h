#pragma once

#include <torch/torch.h>

#include <algorithm>

#include "worlds/world.h"

namespace neo {

// One observation as a batch of one row, uint8 [1, N], and back.
inline torch::Tensor to_row(const Observation& observation) {
  auto row = torch::empty({1, static_cast<int64_t>(observation.size())}, torch::kUInt8);
  std::copy(observation.begin(), observation.end(), row.data_ptr<uint8_t>());
  return row;
}

inline Observation to_observation(const torch::Tensor& row) {
  const auto plain = row.contiguous();
  return {plain.data_ptr<uint8_t>(), plain.data_ptr<uint8_t>() + plain.numel()};
}

}  // namespace neo
