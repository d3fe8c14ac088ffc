#pragma once

#include <torch/torch.h>

#include <functional>
#include <vector>

namespace neo {

// Remembers the state of every observation it has encoded: a hard observation's state is a pure
// function of it, inputs and targets recur every epoch, and hardened predictions are mostly observations seen
// before. Forgets everything when full; results are the same either way.
// A custom table, because it is queried with tens of thousands of keys at once: hashing, lookup and copying
// run in parallel, and a known key costs no allocation.
class EncodingMemo {
 public:
  using Encode = std::function<torch::Tensor(const torch::Tensor&)>;          // [B, N] -> float [B, D]
  EncodingMemo(int64_t width, Encode encode, size_t most = size_t{1} << 20);  // most: remembered
  torch::Tensor operator()(const torch::Tensor& observations);                // [B, N] -> float [B, D]

 private:
  // Where the row of this key is, or would be.
  size_t slot_of(size_t hash, const uint8_t* key, size_t bytes) const;
  int32_t add(size_t hash, const uint8_t* key, size_t bytes);  // the row of this key, perhaps a new one
  void forget();
  void grow();

  int64_t width_;
  Encode encode_;
  size_t most_;
  std::vector<int32_t> slots_;  // open addressing: row, or -1
  std::vector<size_t> hashes_;  // [rows]
  std::vector<uint8_t> keys_;   // [rows, bytes of an observation]
  std::vector<float> states_;   // [rows, D]
};

}  // namespace neo
