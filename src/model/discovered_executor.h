#pragma once

#include <mutex>

#include "discover/operation.h"
#include "model/executor.h"

namespace neo {

// For states of one unit vector per value (TokenEmbedding): every code is an operation on the values
// themselves, found by counting and not by gradients (discover/). It is set once and then stays.
//   s [B,T,C D] --> the values [B,T C] --> the operation --> the vectors of the new values [B,T,C D]
class DiscoveredExecutor : public Executor {
 public:
  DiscoveredExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  bool learns() const override { return false; }
  // One operation for each code; codes: [Z, A], their vectors; values: [V, D], those of the values.
  void set(const std::vector<Operation>& operations, const CellShape& shape, const torch::Tensor& codes,
           const torch::Tensor& values);
  // New values of code codes[i] on observations[source[i]]: int32 [P, N].
  torch::Tensor next_values(const torch::Tensor& observations, const torch::Tensor& source,
                            const torch::Tensor& codes) const;
  // The size of the buffer that holds operations, for the settings.
  static int64_t words_of(const std::vector<Operation>& operations, const CellShape& shape);

 private:
  // Those of the buffer, which loading weights changes; an Error where it does not hold any.
  const std::vector<Operation>& operations() const;
  int64_t channels_;
  StateShape state_;
  torch::Tensor codes_;   // [Z, A]
  torch::Tensor values_;  // [V, D]
  torch::Tensor
      words_;  // int32: rows, columns, values, the blank of each channel or -1, then every operation
  mutable std::mutex mutex_;
  mutable std::vector<Operation> operations_;
  mutable std::optional<uint32_t> version_;  // of words_ when it was read
};

}  // namespace neo
