#pragma once

#include "discover/routing.h"
#include "model/executor.h"

namespace neo {

// For states of one unit vector per cell (TokenEmbedding): every cell takes the value of another cell, or a constant,
// under one map of values. Found by counting, not by gradients (discover/): it is set once and then stays.
//   s [B,T,D] --> the value of each cell --> gather, translate --> the vectors of the new values [B,T,D]
class RoutingExecutor : public Executor {
 public:
  RoutingExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  bool learns() const override { return false; }
  // One operation for each code; codes: [Z, A], their vectors; values: [V, D], those of the values.
  void set(const std::vector<Routing>& operations, const torch::Tensor& codes, const torch::Tensor& values);
  // New values of code codes[i] on observations[source[i]]: int32 [P, N].
  torch::Tensor next_values(const torch::Tensor& observations, const torch::Tensor& source,
                            const torch::Tensor& codes) const;

 private:
  torch::Tensor codes_;      // [Z, A]
  torch::Tensor values_;     // [V, D]
  torch::Tensor sources_;    // [Z, T] int32; T + v: always value v
  torch::Tensor map_;        // [Z, V] int32
};

}  // namespace neo
