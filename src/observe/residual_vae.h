#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's residual CNN-VAE for 32x32 RGB images (one state token), in the release's shape:
//   x [B, 3072] --> conv 3 -> 64 --> stages 64, 128 (s2), 256 (s2), 512 (s2) --> 8192 --> mean, logvar [B, D]
//   s [B, 1, D] --> linear 8192 --> 512 x 4 x 4 --> stages 256, 128, 64 (each twice the side) --> conv 3
//               --> sigmoid [B, 3072]
// A stage is two 3x3 convolutions with BatchNorm, ReLU and channel dropout 0.1 between them, beside a
// projected shortcut. NEO uses the posterior mean. Works on the device its parameters are on.
class ResidualVae : public ObservationModel {
 public:
  ResidualVae(int64_t pixels, int64_t width, double beta);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  // L1 of the reconstruction from a sampled state, mean per value, + beta KL to the unit normal.
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  Readout readout() const override { return Readout::pixels(); }

 private:
  torch::Tensor features(const torch::Tensor& observations);  // [B, 8192]
  torch::Tensor draw(const torch::Tensor& states);            // [B, D] -> [B, 3072]
  double beta_;
  torch::nn::Sequential encoder_{nullptr}, decoder_{nullptr};
  torch::nn::Linear mean_{nullptr}, log_variance_{nullptr}, expand_{nullptr};
};

}  // namespace neo
