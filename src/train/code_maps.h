#pragma once

#include <vector>

#include "kernels/frozen_ops.h"
#include "model/neo.h"

namespace neo {

// The executor of `model` as one linear map per code; refused where it has none.
BilinearExecutor& linear_executor(NeoImpl& model);

// What every active code does to the leading dimensions of a state, s -> s + s.map + offset, without
// gradient. One map per code instead of the executor's own one per dimension of the action and row: a tenth
// of the work.
class CodeMaps {
 public:
  CodeMaps(NeoImpl& model, int64_t dimensions);
  const std::vector<int64_t>& codes() const { return codes_; }
  int64_t dimensions() const { return affine_.offset.size(1); }
  ConvLayer side_by_side() const;  // all codes at once, [B, d] -> [B, Z d]
  // One code on each state; -1 leaves it as it is. [B, 1, d], [B] -> [B, 1, d]
  torch::Tensor step(const torch::Tensor& states, const torch::Tensor& codes) const;

 private:
  std::vector<int64_t> codes_;
  BilinearExecutor::Affine affine_;
};

}  // namespace neo
