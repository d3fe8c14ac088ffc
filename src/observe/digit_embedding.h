#pragma once

#include "observe/observation_model.h"

namespace neo {

// The paper's observation model of digits: an embedding of each value and a linear read-out of its own.
//   x [B, N] --> embedding V x D --> s [B, N, D] --> linear D -> V --> logits [B, N, V]
class DigitEmbedding : public ObservationModel {
 public:
  DigitEmbedding(const Space& space, int64_t width);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override { return read_->forward(states); }
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  StateShape state() const override { return {space().size(), width_, 1, space().size()}; }

 private:
  int64_t width_;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::Linear read_{nullptr};
};

}  // namespace neo
