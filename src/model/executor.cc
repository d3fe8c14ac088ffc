#include "model/executor.h"

#include "core/error.h"
#include "kernels/dense_ops.h"
#include "kernels/row_parallel.h"
#include "model/discovered_executor.h"

namespace neo {
namespace nn = torch::nn;
namespace {
constexpr int64_t kExecutorRows = 256;  // whose tokens stay in a core's cache

// The cell itself first, then those that share a side, then the corners.
std::vector<Neighbour> neighbours_of(int64_t count) {
  if (count != 2 && count != 4 && count != 8) fail_usage("model.executor.neighbours is {}; one of: 2, 4, 8", count);
  if (count == 2) return {{0, 0}, {0, -1}, {0, 1}};
  std::vector<Neighbour> all{{0, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  all.resize(static_cast<size_t>(count) + 1);
  return all;
}

// gamma(first(x)) and beta(first(x)): [B, 2, H]. Nothing stands between the layers, so they are one map,
// which has a fraction of the products where x is narrow.
torch::Tensor film(const nn::LinearImpl& gamma, const nn::LinearImpl& beta, const nn::LinearImpl& first,
                   const torch::Tensor& x) {
  const auto weight = torch::cat({gamma.weight, beta.weight}), bias = torch::cat({gamma.bias, beta.bias});
  return torch::linear(x, weight.matmul(first.weight), torch::addmv(bias, weight, first.bias))
      .view({x.size(0), 2, -1});
}
}  // namespace

FilmExecutor::FilmExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width) {
  const int64_t flat = state.tokens * state.width;
  const int64_t hidden = config.hidden;
  state_layers_ = register_module(
      "state", nn::Sequential(nn::Linear(flat, hidden), nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU()));
  action_ = register_module("action", nn::Linear(action_width, hidden));
  if (config.blocks < 1) fail_usage("model.executor.blocks is {}; it must be at least 1", config.blocks);
  const bool single = config.blocks == 1;  // its names have no number
  for (int64_t i = 0; i < config.blocks; ++i)
    blocks_.push_back(make_block(single ? "" : std::to_string(i), hidden, !single));
  output_layers_ = register_module(
      "output", single ? nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, hidden),
                                        nn::ReLU(), nn::Linear(hidden, flat))
                       : nn::Sequential(nn::Linear(hidden, hidden), nn::ReLU(), nn::Linear(hidden, flat)));
}

FilmExecutor::Block FilmExecutor::make_block(const std::string& suffix, int64_t hidden, bool with_layer) {
  Block block;
  if (with_layer) block.in = register_module("in" + suffix, nn::Linear(hidden, hidden));
  block.gamma = register_module("gamma" + suffix, nn::Linear(hidden, hidden));
  block.beta = register_module("beta" + suffix, nn::Linear(hidden, hidden));
  torch::NoGradGuard no_grad;
  block.gamma->weight.fill_diagonal_(1.0);
  block.gamma->bias.zero_();
  block.beta->weight.zero_();
  block.beta->bias.zero_();
  return block;
}

torch::Tensor FilmExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  auto h = dense(state.flatten(1), state_layers_);
  for (auto& [in, gamma, beta] : blocks_) {
    if (in) h = dense(h, {{in->weight, in->bias, /*relu=*/true}});
    const auto both = film(*gamma, *beta, *action_, action).unbind(1);
    h = both[0] * h + both[1];
  }
  return state + dense(h, output_layers_).view_as(state);
}

torch::Tensor Executor::every_action(const torch::Tensor& state, const torch::Tensor& actions) {
  const int64_t rows = state.size(0);
  const int64_t count = actions.size(0);
  const auto out = forward(state.repeat_interleave(count, 0), actions.repeat({rows, 1}));
  return out.view({rows, count, state.size(1), state.size(2)});
}

BilinearExecutor::BilinearExecutor(const StateShape& state, int64_t action_width) {
  const int64_t width = state.tokens * state.width;
  const double noise = 0.3 / std::sqrt(static_cast<double>(width));  // codes must differ to be told apart
  maps_ = register_parameter("maps", noise * torch::randn({action_width, width, width}));
  offsets_ = register_parameter("offsets", torch::zeros({action_width, width}));
}

torch::Tensor BilinearExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const auto s = state.flatten(1);
  const int64_t width = s.size(1);
  const auto each =
      s.matmul(leading_maps(width).permute({1, 0, 2}).reshape({width, -1})).view({-1, action.size(1), width});
  const auto change =
      torch::bmm(action.unsqueeze(1), each).squeeze(1) + action.matmul(offsets_.narrow(1, 0, width));
  return state + change.view_as(state);
}

torch::Tensor BilinearExecutor::every_action(const torch::Tensor& state, const torch::Tensor& actions) {
  const auto s = state.flatten(1);
  const int64_t width = s.size(1);
  const int64_t count = actions.size(0);
  // One map per action, [D, Z D], instead of one per dimension and row.
  const auto [map, offset] = affine(actions, width);
  const auto change = s.matmul(map.permute({1, 0, 2}).reshape({width, -1})).view({-1, count, width}) + offset;
  return (s.unsqueeze(1) + change).view({-1, count, state.size(1), state.size(2)});
}

BilinearExecutor::Affine BilinearExecutor::affine(const torch::Tensor& actions, int64_t dimensions) const {
  return {actions.matmul(leading_maps(dimensions).flatten(1)).view({-1, dimensions, dimensions}),
          actions.matmul(offsets_.narrow(1, 0, dimensions))};
}

void BilinearExecutor::set_map(const torch::Tensor& action, const torch::Tensor& map,
                              const torch::Tensor& offset) {
  torch::NoGradGuard no_grad;
  const Affine now = affine(action.unsqueeze(0), map.size(0));
  maps_.add_(action.view({-1, 1, 1}) * (map - now.map));
  offsets_.add_(action.unsqueeze(1) * (offset - now.offset));
}

AttentionExecutor::AttentionExecutor(const ExecutorConfig& config, const StateShape& state,
                                     int64_t action_width) {
  const int64_t width = config.hidden;
  if (width % config.heads != 0)
    fail_usage("model.executor.hidden is {}; it must be a multiple of the {} heads", width, config.heads);
  in_ = register_module("in", nn::Linear(state.width, width));
  action_ = register_module("action", nn::Linear(action_width, width));
  place_ = register_parameter("place", torch::randn({state.tokens, width}));
  for (int64_t i = 0; i < config.layers; ++i) {
    layers_.push_back(
        register_module("layer" + std::to_string(i),
                        DecoderLayer(TransformerShape{width, config.heads, config.feedforward})));
  }
  out_ = register_module("out", nn::Linear(width, state.width));
}

torch::Tensor AttentionExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  return by_rows(
      {state, action}, parameters(), [this](const auto& rows) { return execute(rows[0], rows[1]); },
      kExecutorRows);
}

torch::Tensor AttentionExecutor::execute(const torch::Tensor& state, const torch::Tensor& action) {
  const auto memory = action_->forward(action).unsqueeze(1);
  auto tokens = in_->forward(state) + place_;
  for (auto& layer : layers_) tokens = layer->forward(tokens, memory);
  return out_->forward(tokens);
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

torch::Tensor LocalExecutor::mix(const torch::Tensor& action, const torch::Tensor& neighbourhoods) {
  return torch::bmm(torch::softmax(taps_->forward(action), -1).unsqueeze(1), neighbourhoods);
}

torch::Tensor LocalExecutor::pointwise(const torch::Tensor& mixed, const torch::Tensor& action) {
  const auto h = torch::relu(in_->forward(mixed) * gamma_->forward(action).unsqueeze(1) +
                             beta_->forward(action).unsqueeze(1));
  return mixed + out_->forward(h);
}

torch::Tensor LocalExecutor::cells(const torch::Tensor& neighbourhoods, const torch::Tensor& action) {
  return pointwise(mix(action, neighbourhoods), action).squeeze(1);
}

torch::Tensor LocalExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  return pointwise(mix(action, neighbourhoods(state)).view_as(state), action);
}

RecurrentExecutor::RecurrentExecutor(const ExecutorConfig& config, const StateShape& state,
                                     int64_t action_width)
    : hidden_(config.hidden), scale_(config.action_scale) {
  in_ = register_module("in", nn::Sequential(nn::Linear(state.width + action_width, hidden_), nn::ReLU(),
                                             nn::Linear(hidden_, 3 * hidden_)));
  recur_ = register_module("recur", nn::Linear(hidden_, 3 * hidden_));
  out_ = register_module(
      "out", nn::Sequential(nn::Linear(hidden_, hidden_), nn::ReLU(), nn::Linear(hidden_, state.width)));
}

torch::Tensor RecurrentExecutor::gates(const torch::Tensor& token, const torch::Tensor& action) {
  return in_->forward(torch::cat({token, scale_ * action}, /*dim=*/1));
}

torch::Tensor RecurrentExecutor::advance(const torch::Tensor& gates, const torch::Tensor& hidden) {
  const auto recurrent = recur_->forward(hidden);
  const auto open = torch::sigmoid(gates.narrow(1, 0, 2 * hidden_) + recurrent.narrow(1, 0, 2 * hidden_));
  const auto reset = open.narrow(1, 0, hidden_);
  const auto keep = open.narrow(1, hidden_, hidden_);
  const auto proposed = torch::tanh(torch::addcmul(gates.narrow(1, 2 * hidden_, hidden_), reset,
                                                   recurrent.narrow(1, 2 * hidden_, hidden_)));
  return torch::lerp(proposed, hidden, keep);
}

torch::Tensor RecurrentExecutor::forward(const torch::Tensor& state, const torch::Tensor& action) {
  const int64_t rows = state.size(0);
  const int64_t tokens = state.size(1);
  const auto every_gate =
      gates(state.flatten(0, 1), action.repeat_interleave(tokens, 0)).view({rows, tokens, 3 * hidden_});
  std::vector<torch::Tensor> hidden(static_cast<size_t>(tokens));
  auto h = torch::zeros({rows, hidden_}, state.options());
  for (int64_t t = tokens - 1; t >= 0; --t)
    hidden[static_cast<size_t>(t)] = h = advance(every_gate.select(1, t), h);
  return emit(torch::stack(hidden, /*dim=*/1));
}

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state,
                                        int64_t action_width) {
  if (config.kind == "film") return std::make_shared<FilmExecutor>(config, state, action_width);
  if (config.kind == "local") return std::make_shared<LocalExecutor>(config, state, action_width);
  if (config.kind == "recurrent") return std::make_shared<RecurrentExecutor>(config, state, action_width);
  if (config.kind == "attention") return std::make_shared<AttentionExecutor>(config, state, action_width);
  if (config.kind == "bilinear") return std::make_shared<BilinearExecutor>(state, action_width);
  if (config.kind == "discovered") return std::make_shared<DiscoveredExecutor>(config, state, action_width);
  fail_usage("unknown executor '{}'; one of: film, bilinear, local, recurrent, discovered, attention", config.kind);
}

}  // namespace neo
