#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's residual CNN-VAE for images of H x W pixels and C channels (one state token), in the release's
// shape, with F = 512 (H/8) (W/8) features:
//   x [B, H W C] --> conv C -> 64 --> stages 64, 128 (s2), 256 (s2), 512 (s2) --> F --> mean, logvar [B, D]
//   s [B, 1, D] --> linear F --> 512 x H/8 x W/8 --> stages 256, 128, 64 (each twice the side) --> conv C
//               --> sigmoid [B, H W C]
// A stage is two 3x3 convolutions with BatchNorm, ReLU and channel dropout 0.1 between them, beside a
// projected shortcut. NEO uses the posterior mean. Works on the device its parameters are on.
class ResidualVae : public ObservationModel {
 public:
  ResidualVae(const Space& space, int64_t width, double beta);  // sides are multiples of 8
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  // L1 of the reconstruction from a sampled state, mean per value, + beta KL to the unit normal.
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  StateShape state() const override { return {1, width_}; }

 private:
  torch::Tensor features(const torch::Tensor& observations);  // [B, F]
  torch::Tensor draw(const torch::Tensor& states);            // [B, D] -> [B, H W C]
  int64_t width_;
  double beta_;
  torch::nn::Sequential encoder_{nullptr}, decoder_{nullptr};
  torch::nn::Linear mean_{nullptr}, log_variance_{nullptr}, expand_{nullptr};
};

}  // namespace neo
