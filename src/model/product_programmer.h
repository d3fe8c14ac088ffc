#pragma once

#include "model/programmer.h"

namespace neo {

// (linear, ReLU) x config.layers, linear: [B, width] -> [B, out]. The trunk of every programmer but the
// transformer.
torch::nn::Sequential make_mlp(int64_t width, const ProgrammerConfig& config, int64_t out);

// For states of one token in which operations are nearly linear. Whether y is s turned, say, shows in the
// products of both, which layers of ReLUs learn only slowly:
//   [s, s_y, A s * B s_y] [B, 2TD + F] --> (linear, ReLU) x layers --> linear --> action [B, A]
class ProductProgrammer : public Programmer {
 public:
  ProductProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor look(const torch::Tensor& states) override;  // [s, A s, B s]
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  int64_t width_, products_;
  torch::nn::Linear as_state_{nullptr}, as_target_{nullptr};
  torch::nn::Sequential layers_{nullptr};
};

}  // namespace neo
