#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's observation model of numbers: an embedding of each digit and a linear read-out of its own.
//   x [B, N] --> embedding V x D --> s [B, N, D] --> linear D -> V --> logits [B, N, V]
class DigitEmbedding : public ObservationModel {
 public:
  DigitEmbedding(int64_t values, int64_t width);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override { return read_->forward(states); }
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  Readout readout() const override { return Readout::categorical(values_); }

 private:
  int64_t values_;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::Linear read_{nullptr};
};

}  // namespace neo
