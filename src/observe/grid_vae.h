#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's CNN-VAE for 10x10 grids (one state token):
//   x [B, 100] --> colour embedding 9 -> 16 --> conv 16 -> 64 --> 128 (s2) --> 256 (s2) --> 1024 --> mean,
//   logvar [B, D] s [B, 1, D] --> linear 1024 --> 256 x 2 x 2 --> convT 128 (s2) --> 64 (s2) --> conv 9 -->
//   logits [B, 100, 9]
// Each convolution is followed by BatchNorm, ReLU and channel dropout 0.1. NEO uses the posterior mean.
class GridVae : public ObservationModel {
 public:
  GridVae(int64_t width, double beta);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  Decoded decode_candidates(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  Readout readout() const override { return Readout::categorical(9); }
  void freeze() override;

 private:
  struct Posterior {
    torch::Tensor mean, log_variance;  // [B, D]
  };
  Posterior posterior(const torch::Tensor& observations);

  double beta_;
  torch::nn::Embedding colours_{nullptr};
  torch::nn::Sequential encoder_{nullptr};
  torch::nn::Linear mean_{nullptr}, log_variance_{nullptr};
  torch::nn::Linear expand_{nullptr};
  torch::nn::Sequential decoder_{nullptr};
  struct Frozen;
  std::shared_ptr<Frozen> frozen_;  // set by freeze()
};

}  // namespace neo
