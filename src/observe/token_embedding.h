#pragma once

#include "observe/observation_model.h"

namespace neo {

// One vector per cell or digit, the same embedding everywhere, and a linear read-out:
//   x [B, N] --> embedding V x D --> s [B, N, D] --> linear D -> V --> logits [B, N, V]
// The state keeps the layout of the observation, so an executor can share its weights over positions.
class TokenEmbedding : public ObservationModel {
 public:
  TokenEmbedding(int64_t values, int64_t width);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  Readout readout() const override { return Readout::categorical(values_); }

 private:
  int64_t values_;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::Linear read_out_{nullptr};
};

}  // namespace neo
