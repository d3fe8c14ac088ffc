#include "model/executor.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;
namespace {
// The cell itself first, then those that share a side, then the corners.
std::vector<Neighbour> neighbours_of(int64_t count) {
  if (count != 4 && count != 8) fail_usage("executor.neighbours is {}; one of: 4, 8", count);
  std::vector<Neighbour> all{{0, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  all.resize(static_cast<size_t>(count) + 1);
  return all;
}
}  // namespace

FilmExecutor::FilmExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width) {
  const int64_t flat = state.tokens * state.width;
  const int64_t hidden = config.hidden;
  state_layers_ = register_module(
      "state", nn::Sequential(nn::Linear(flat, hidden), nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU()));
  action_ = register_module("action", nn::Linear(action_width, hidden));
  gamma_ = register_module("gamma", nn::Linear(hidden, hidden));
  beta_ = register_module("beta", nn::Linear(hidden, hidden));
  output_layers_ = register_module(
      "output", nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU(),
                               nn::Linear(hidden, flat)));
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

torch::Tensor Executor::every_action(const torch::Tensor& state, const torch::Tensor& actions) {
  const int64_t rows = state.size(0);
  const int64_t count = actions.size(0);
  const auto out = forward(state.repeat_interleave(count, 0), actions.repeat({rows, 1}));
  return out.view({rows, count, state.size(1), state.size(2)});
}

LocalExecutor::LocalExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width)
    : shape_(state), neighbours_(neighbours_of(config.neighbours)) {
  taps_ = register_module("taps", nn::Linear(action_width, static_cast<int64_t>(neighbours_.size())));
  in_ = register_module("in", nn::Linear(state.width, config.hidden));
  gamma_ = register_module("gamma", nn::Linear(action_width, config.hidden));
  beta_ = register_module("beta", nn::Linear(action_width, config.hidden));
  out_ = register_module("out", nn::Linear(config.hidden, state.width));
  outside_ = register_parameter("outside", torch::zeros({state.width}));
  torch::NoGradGuard no_grad;
  taps_->weight.normal_();  // codes start out looking at different neighbours
  taps_->bias.zero_();
  gamma_->bias.fill_(1.0);
  beta_->bias.zero_();
  out_->weight.zero_();  // and moving what they see as it is
  out_->bias.zero_();
}

torch::Tensor LocalExecutor::neighbourhoods(const torch::Tensor& state) {
  const int64_t rows = shape_.rows;
  const int64_t columns = shape_.columns;
  const auto inside = state.view({-1, rows, columns, shape_.width});
  auto padded = outside_.expand({state.size(0), rows + 2, columns + 2, shape_.width}).clone();
  padded.slice(1, 1, rows + 1).slice(2, 1, columns + 1).copy_(inside);
  std::vector<torch::Tensor> shifted;
  for (const auto& [down, right] : neighbours_) {
    shifted.push_back(
        padded.slice(1, 1 + down, 1 + down + rows).slice(2, 1 + right, 1 + right + columns).flatten(1));
  }
  return torch::stack(shifted, /*dim=*/1);
}

torch::Tensor LocalExecutor::pointwise(const torch::Tensor& mixed, const torch::Tensor& action) {
  const auto h = torch::relu(in_->forward(mixed) * gamma_->forward(action).unsqueeze(2) +
                             beta_->forward(action).unsqueeze(2));
  return mixed + out_->forward(h);
}

torch::Tensor LocalExecutor::fused(const torch::Tensor& state, const torch::Tensor& actions,
                                   const torch::Tensor& grid, const torch::Tensor& action) {
  static const bool available = has_local_rule();
  if (!available || torch::GradMode::is_enabled() || shape_.width != kLocalWidth ||
      in_->weight.size(0) != kLocalHidden || !state.is_cpu())
    return {};
  const auto states = state.contiguous();
  const auto taps = torch::softmax(taps_->forward(actions), -1).contiguous();
  const auto gamma = gamma_->forward(actions).contiguous();
  const auto beta = beta_->forward(actions).contiguous();
  const LocalRule rule{shape_.rows,
                       shape_.columns,
                       neighbours_,
                       outside_.data_ptr<float>(),
                       in_->weight.data_ptr<float>(),
                       in_->bias.data_ptr<float>(),
                       out_->weight.data_ptr<float>(),
                       out_->bias.data_ptr<float>(),
                       taps.data_ptr<float>(),
                       gamma.data_ptr<float>(),
                       beta.data_ptr<float>()};
  auto out = torch::empty({grid.size(0), shape_.tokens, shape_.width});
  run_local_rule(rule, states.data_ptr<float>(), grid.data_ptr<int64_t>(), action.data_ptr<int64_t>(),
                 grid.size(0), out.data_ptr<float>());
  return out;
}

torch::Tensor LocalExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const auto each = torch::arange(state.size(0));
  if (const auto out = fused(state, action, each, each); out.defined()) return out;
  const auto weights = torch::softmax(taps_->forward(action), -1).unsqueeze(1);  // [B,1,taps]
  const auto mixed =
      torch::bmm(weights, neighbourhoods(state)).view({state.size(0), 1, shape_.tokens, shape_.width});
  return pointwise(mixed, action.unsqueeze(1)).view_as(state);
}

torch::Tensor LocalExecutor::every_action(const torch::Tensor& state, const torch::Tensor& actions) {
  const int64_t rows = state.size(0);
  const int64_t count = actions.size(0);
  if (const auto out = fused(state, actions, torch::arange(rows).repeat_interleave(count),
                             torch::arange(count).repeat({rows}));
      out.defined()) {
    return out.view({rows, count, shape_.tokens, shape_.width});
  }
  const auto weights = torch::softmax(taps_->forward(actions), -1).unsqueeze(0);  // [1,Z,taps]
  const auto mixed = torch::matmul(weights, neighbourhoods(state))
                         .view({state.size(0), actions.size(0), shape_.tokens, shape_.width});
  return pointwise(mixed, actions.unsqueeze(0));
}

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state,
                                        int64_t action_width) {
  if (config.kind == "film") return std::make_shared<FilmExecutor>(config, state, action_width);
  if (config.kind == "local") return std::make_shared<LocalExecutor>(config, state, action_width);
  fail_usage("unknown executor '{}'; one of: film, local", config.kind);
}

}  // namespace neo
