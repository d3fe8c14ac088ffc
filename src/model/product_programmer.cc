#include "model/product_programmer.h"

namespace neo {

ProductProgrammer::ProductProgrammer(const ProgrammerConfig& config, const StateShape& state,
                                     int64_t action_width)
    : width_(state.tokens * state.width), products_(config.features) {
  as_state_ = register_module("as_state", torch::nn::Linear(width_, products_));
  as_target_ = register_module("as_target", torch::nn::Linear(width_, products_));
  layers_ = register_module("layers", make_mlp(2 * width_ + products_, config, action_width));
}

torch::Tensor ProductProgrammer::look(const torch::Tensor& states) {
  const auto flat = states.flatten(1);
  return torch::cat({flat, as_state_->forward(flat), as_target_->forward(flat)}, /*dim=*/1);
}

torch::Tensor ProductProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  const auto products = state.narrow(1, width_, products_) * target.narrow(1, width_ + products_, products_);
  return layers_->forward(
      torch::cat({state.narrow(1, 0, width_), target.narrow(1, 0, width_), products}, /*dim=*/1));
}

}  // namespace neo
