#pragma once

#include <torch/torch.h>

namespace neo {

// What a decoded prediction says when compared with a target observation.
struct Reading {
  torch::Tensor loss;   // [B] l(y, y^): mean cross-entropy per cell or digit, or mean L1 per pixel
  torch::Tensor own;    // [B] the loss had y been `hard`: how unsure the prediction is; 0 for pixels
  torch::Tensor hard;   // [B, N] uint8, the observation that the prediction amounts to
  torch::Tensor exact;  // [B] bool, hard == target; never for pixels
};

// How predictions become losses and observations. Categorical worlds (grids, digits) predict logits
// [B, N, C]; pixels are predicted as values [B, N] in [0, 1].
class Readout {
 public:
  static Readout categorical(int64_t classes) { return Readout(classes); }
  static Readout pixels() { return Readout(0); }
  bool is_categorical() const { return classes_ > 0; }
  int64_t classes() const { return classes_; }

  torch::Tensor loss(const torch::Tensor& prediction,
                     const torch::Tensor& target) const;        // [B], with gradient
  torch::Tensor harden(const torch::Tensor& prediction) const;  // [B, N] uint8
  // Loss, hardened observation and match in one pass, without gradient.
  Reading read(const torch::Tensor& prediction, const torch::Tensor& target) const;

 private:
  explicit Readout(int64_t classes) : classes_(classes) {}
  int64_t classes_;
};

}  // namespace neo
