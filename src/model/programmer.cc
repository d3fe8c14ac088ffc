#include "model/programmer.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;

namespace {
nn::Sequential mlp(int64_t width, const ProgrammerConfig& config, int64_t out) {
  nn::Sequential layers;
  for (int64_t i = 0; i < config.layers; ++i) {
    layers->push_back(nn::Linear(width, config.hidden));
    layers->push_back(nn::ReLU());
    width = config.hidden;
  }
  layers->push_back(nn::Linear(width, out));
  return layers;
}
}  // namespace

MlpProgrammer::MlpProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width) {
  layers_ = register_module("layers", mlp(2 * state.tokens * state.width, config, action_width));
}

torch::Tensor MlpProgrammer::forward(const torch::Tensor& state, const torch::Tensor& target) {
  return layers_->forward(torch::cat({state.flatten(1), target.flatten(1)}, /*dim=*/1));
}

ProjectionProgrammer::ProjectionProgrammer(const ProgrammerConfig& config, const StateShape& state,
                                           int64_t action_width)
    : shape_(state) {
  features_ = register_module("features", nn::Linear(state.width, config.features));
  layers_ = register_module("layers",
                            mlp(2 * (state.rows + state.columns) * config.features, config, action_width));
}

torch::Tensor ProjectionProgrammer::projections(const torch::Tensor& state) {
  const auto h =
      torch::relu(features_->forward(state)).view({state.size(0), shape_.rows, shape_.columns, -1});
  return torch::cat({h.sum(1).flatten(1), h.sum(2).flatten(1)}, /*dim=*/1);
}

torch::Tensor ProjectionProgrammer::forward(const torch::Tensor& state, const torch::Tensor& target) {
  return layers_->forward(torch::cat({projections(state), projections(target)}, /*dim=*/1));
}

std::shared_ptr<Programmer> make_programmer(const ProgrammerConfig& config, const StateShape& state,
                                            int64_t action_width) {
  if (config.kind == "mlp") return std::make_shared<MlpProgrammer>(config, state, action_width);
  if (config.kind == "projections")
    return std::make_shared<ProjectionProgrammer>(config, state, action_width);
  fail_usage("unknown programmer '{}'; one of: mlp, projections", config.kind);
}

}  // namespace neo
