#pragma once

#include "observe/observation_model.h"

namespace neo {

// One unit vector per value, the same everywhere, and the same vectors to read a state out:
//   x [B, N] --> e_x, unit vectors V x D --> s [B, T, C D] --> scale * s . e_v --> logits [B, N, V]
// The state keeps the layout of the observation, so an executor can share its weights over positions; the C
// channels of a cell lie side by side in its token.
// Training with noise on the state spreads the vectors apart.
class TokenEmbedding : public ObservationModel {
 public:
  TokenEmbedding(const Space& space, int64_t width);
  torch::Tensor encode(const torch::Tensor& observations) override;
  torch::Tensor decode(const torch::Tensor& states) override;
  torch::Tensor pretraining_loss(const torch::Tensor& observations) override;
  StateShape state() const override;
  void freeze() override;
  torch::Tensor vectors() const;  // [V, D]

 private:
  int64_t width_;            // D
  torch::Tensor embedding_;  // [V, D], of any length
  torch::Tensor frozen_;     // vectors(), once frozen
  torch::Tensor absent_;     // [C, V] very negative for values that a channel does not have; undefined: all have
};

}  // namespace neo
