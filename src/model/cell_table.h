#pragma once

#include <memory>
#include <vector>

#include "model/neo.h"

namespace neo {

// A local executor on hard observations predicts a cell from the values around it and the code, nothing else.
// Grids are mostly background, so a batch holds millions of cells but only some hundred different
// neighbourhoods: each is computed once, with gradient where gradients are on.
class CellTable {
 public:
  // Null if it does not apply: another executor or observation model, or too many possible neighbourhoods.
  static std::unique_ptr<CellTable> make(NeoImpl& model);

  // For code codes[i] on observations[source[i]], the row of logits() that predicts each cell: int32 [P, N].
  torch::Tensor rows(const torch::Tensor& observations, const torch::Tensor& source,
                     const torch::Tensor& codes);
  // [U, V], one row for each combination of neighbourhood and code met so far.
  torch::Tensor logits() const { return torch::cat(logits_); }
  int64_t size() const { return static_cast<int64_t>(met_.size()); }

 private:
  CellTable(NeoImpl& model, class LocalExecutor& executor, torch::Tensor values, int64_t keys);
  std::vector<int32_t> neighbourhoods(const torch::Tensor& observations) const;  // a number for each, [U * N]
  void compute(size_t first);                                                    // logits of met_[first...]

  NeoImpl& model_;
  LocalExecutor& executor_;
  torch::Tensor values_;      // [V + 1, D]: the vector of each value, then the one outside
  int64_t base_, codes_;      // V + 1, |E|
  std::vector<int32_t> row_;  // of each key = neighbourhood * |E| + code; -1: not met
  std::vector<int32_t> met_;  // keys, in order of appearance
  std::vector<torch::Tensor> logits_;
};

}  // namespace neo
