#include "model/executor.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;

FilmExecutor::FilmExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width) {
  const int64_t flat = state.tokens * state.width;
  const int64_t hidden = config.hidden;
  state_layers_ = register_module("state", nn::Sequential(nn::Linear(flat, hidden), nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU()));
  action_ = register_module("action", nn::Linear(action_width, hidden));
  gamma_ = register_module("gamma", nn::Linear(hidden, hidden));
  beta_ = register_module("beta", nn::Linear(hidden, hidden));
  output_layers_ = register_module("output", nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, hidden),
                                                            nn::ReLU(), nn::Linear(hidden, flat)));
  torch::NoGradGuard no_grad;
  gamma_->weight.fill_diagonal_(1.0);
  gamma_->bias.zero_();
  beta_->weight.zero_();
  beta_->bias.zero_();
}

torch::Tensor FilmExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const auto a = action_->forward(action);
  const auto h = gamma_->forward(a) * state_layers_->forward(state.flatten(1)) + beta_->forward(a);
  return state + output_layers_->forward(h).view_as(state);
}

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state, int64_t action_width) {
  if (config.kind == "film") return std::make_shared<FilmExecutor>(config, state, action_width);
  fail_usage("unknown executor '{}'; one of: film", config.kind);
}

}  // namespace neo
