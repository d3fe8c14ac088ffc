#pragma once

#include "model/programmer.h"

namespace neo {

// (linear, ReLU) x config.layers, linear: [B, width] -> [B, out]. The trunk of every programmer but the
// transformer.
torch::nn::Sequential make_mlp(int64_t width, const ProgrammerConfig& config, int64_t out);

// For states of one token in which operations are nearly linear. Whether y is, say, s rotated shows in
// products of both, which layers of ReLUs learn only slowly:
//   [s, s_y, A s * B s_y] [B, 2TD + F] --> (linear, ReLU) x layers --> linear --> action [B, A]
// The first of these layers is a sum of one term for each of the three, so s_y's term is computed once per
// target.
class ProductProgrammer : public Programmer {
 public:
  ProductProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor encode_state(const torch::Tensor& states) override;  // [B, T, D] -> [A s, C s] [B, F + H]
  torch::Tensor encode_target(const torch::Tensor& targets) override;  // the same with weights of its own
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  int64_t products_, hidden_;
  torch::nn::Linear of_state_{nullptr}, of_target_{nullptr}, of_products_{nullptr};
  torch::nn::Sequential layers_{nullptr};  // after the first
};

}  // namespace neo
