#pragma once

#include <torch/torch.h>

#include <functional>
#include <string>
#include <unordered_map>

namespace neo {

// Remembers the state of every discrete observation it has encoded: a hard observation's state is a pure
// function of it, inputs and targets recur every epoch, and hardened predictions are mostly observations seen
// before. Forgets everything when full; results are the same either way.
class EncodingMemo {
 public:
  using Encode = std::function<torch::Tensor(const torch::Tensor&)>;  // uint8 [B, N] -> float [B, D]
  EncodingMemo(int64_t width, Encode encode, size_t most = size_t{1} << 20);
  torch::Tensor operator()(const torch::Tensor& observations);  // uint8 [B, N] -> float [B, D]

 private:
  int64_t width_;
  Encode encode_;
  size_t most_;
  std::unordered_map<std::string, int64_t> row_of_;  // observation bytes -> row of states_
  std::vector<float> states_;
};

}  // namespace neo
