#include "model/product_programmer.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;

ProductProgrammer::ProductProgrammer(const ProgrammerConfig& config, const StateShape& state,
                                     int64_t action_width)
    : products_(config.features), hidden_(config.hidden) {
  if (config.layers < 1) fail_usage("model.programmer.layers is {}; products need at least 1", config.layers);
  const int64_t width = state.tokens * state.width;
  of_state_ = register_module("of_state", nn::Linear(width, products_ + hidden_));
  of_target_ = register_module("of_target", nn::Linear(width, products_ + hidden_));
  of_products_ = register_module("of_products", nn::Linear(products_, hidden_));
  ProgrammerConfig rest = config;
  --rest.layers;
  layers_ = register_module("layers", make_mlp(hidden_, rest, action_width));
}

torch::Tensor ProductProgrammer::encode_state(const torch::Tensor& states) {
  return of_state_->forward(states.flatten(1));
}

torch::Tensor ProductProgrammer::encode_target(const torch::Tensor& targets) {
  return of_target_->forward(targets.flatten(1));
}

torch::Tensor ProductProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  const auto products = state.narrow(1, 0, products_) * target.narrow(1, 0, products_);
  const auto first = state.narrow(1, products_, hidden_) + target.narrow(1, products_, hidden_) +
                     of_products_->forward(products);
  return layers_->forward(torch::relu(first));
}

}  // namespace neo
