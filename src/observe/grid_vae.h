#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's CNN-VAE for grids of R x C cells and V values (one state token); the third convolution leaves r x c
// cells and F = 256 r c features:
//   x [B, R C] --> value embedding V -> 16 --> conv 16 -> 64 --> 128 (s2) --> 256 (s2) --> F --> mean,
//   logvar [B, D] s [B, 1, D] --> linear F --> 256 x r x c --> convT 128 (s2) --> 64 (s2) --> conv V -->
//   logits [B, R C, V]
// Each convolution is followed by BatchNorm, ReLU and channel dropout 0.1. NEO uses the posterior mean.
class GridVae : public ObservationModel {
 public:
  GridVae(const Space& space, int64_t width, double beta);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  Decoded decode_candidates(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  StateShape state() const override { return {1, width_}; }
  void freeze() override;

 private:
  struct Posterior {
    torch::Tensor mean, log_variance;  // [B, D]
  };
  Posterior posterior(const torch::Tensor& observations);

  // Rows and columns after the first, second and third convolution.
  struct Sides {
    int64_t first, second, third;
    static Sides of(int64_t side);
    // Padding with which the transposed convolutions restore these sides.
    int64_t padding_to_second() const { return second - (2 * third + 1); }
    int64_t padding_to_first() const { return first - (2 * second - 1); }
  };
  Sides rows_, columns_;
  int64_t width_;
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
