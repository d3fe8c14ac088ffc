#pragma once

#include <torch/torch.h>

#include "data/space.h"

namespace neo {

// A decoded prediction compared with a target observation.
struct Reading {
  torch::Tensor loss;       // [B] l(y, y^): mean cross-entropy per element, mean L1 per pixel or number
  torch::Tensor self_loss;  // [B] the loss had y been `hard`: the prediction's uncertainty; 0 unless categorical
  torch::Tensor hard;       // [B, N] the observation that the prediction amounts to
  torch::Tensor exact;      // [B] bool, hard == target; never for pixels and real numbers
};

// How predictions become losses and observations. Categories are predicted as logits [B, N, C], pixels as values
// [B, N] in [0, 1], real numbers as themselves [B, N].
class Readout {
 public:
  // `scale` [N]: the spread of each real number, in units of which errors are measured.
  explicit Readout(const Space& space, torch::Tensor scale = {});
  bool is_categorical() const { return kind_ == Kind::categorical; }
  int64_t classes() const { return classes_; }

  torch::Tensor loss(const torch::Tensor& prediction,
                     const torch::Tensor& target) const;        // [B], with gradient
  torch::Tensor harden(const torch::Tensor& prediction) const;  // [B, N], typed as observations
  // Loss, hardened observation and match in one pass, without gradient.
  Reading read(const torch::Tensor& prediction, const torch::Tensor& target) const;
  // Distance of observations [B, N] from `target`: share of elements that differ; mean L1 of pixels on [0,
  // 1]; root mean square of real numbers in units of their spread. [B] double.
  torch::Tensor error(const torch::Tensor& observations, const torch::Tensor& target) const;

 private:
  Kind kind_;
  int64_t classes_ = 0;
  torch::Tensor scale_;
};

}  // namespace neo
