#include "model/programmer.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;

MlpProgrammer::MlpProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width) {
  nn::Sequential layers;
  int64_t width = 2 * state.tokens * state.width;
  for (int64_t i = 0; i < config.layers; ++i) {
    layers->push_back(nn::Linear(width, config.hidden));
    layers->push_back(nn::ReLU());
    width = config.hidden;
  }
  layers->push_back(nn::Linear(width, action_width));
  layers_ = register_module("layers", layers);
}

torch::Tensor MlpProgrammer::forward(const torch::Tensor& state, const torch::Tensor& target) {
  return layers_->forward(torch::cat({state.flatten(1), target.flatten(1)}, /*dim=*/1));
}

std::shared_ptr<Programmer> make_programmer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width) {
  if (config.kind == "mlp") return std::make_shared<MlpProgrammer>(config, state, action_width);
  fail_usage("unknown programmer '{}'; one of: mlp", config.kind);
}

}  // namespace neo
