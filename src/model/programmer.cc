#include "model/programmer.h"

#include "core/error.h"
#include "kernels/dense_ops.h"
#include "kernels/row_parallel.h"
#include "model/product_programmer.h"
#include "observe/token_embedding.h"

namespace neo {
namespace nn = torch::nn;

namespace {
constexpr int64_t kProgrammerRows = 128;  // whose tokens stay in a core's cache

// How often each value occurs in every column, then in every row: uint8 [B, R C] -> [B, C + R, V].
torch::Tensor line_counts(const torch::Tensor& observations, int64_t rows, int64_t columns, int64_t values) {
  const auto cells = observations.contiguous();
  auto counts = torch::zeros({cells.size(0), columns + rows, values});
  const auto* cell = cells.data_ptr<uint8_t>();
  auto* count = counts.data_ptr<float>();
  for (int64_t b = 0; b < cells.size(0); ++b, count += (columns + rows) * values) {
    for (int64_t y = 0; y < rows; ++y) {
      for (int64_t x = 0; x < columns; ++x, ++cell) {
        ++count[x * values + *cell];
        ++count[(columns + y) * values + *cell];
      }
    }
  }
  return counts;
}
}  // namespace

nn::Sequential make_mlp(int64_t width, const ProgrammerConfig& config, int64_t out) {
  nn::Sequential layers;
  for (int64_t i = 0; i < config.layers; ++i) {
    layers->push_back(nn::Linear(width, config.hidden));
    layers->push_back(nn::ReLU());
    width = config.hidden;
  }
  layers->push_back(nn::Linear(width, out));
  return layers;
}

torch::Tensor Programmer::encode_state_observation(ObservationModel& observation,
                                                   const torch::Tensor& observations) {
  return encode_state(observation.encode(observations));
}

torch::Tensor Programmer::encode_target_observation(ObservationModel& observation,
                                                    const torch::Tensor& observations) {
  return encode_target(observation.encode(observations));
}

MlpProgrammer::MlpProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width) {
  layers_ = register_module("layers", make_mlp(2 * state.tokens * state.width, config, action_width));
}

torch::Tensor MlpProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  return dense(torch::cat({state, target}, /*dim=*/1), layers_);
}

FilmProgrammer::FilmProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width) {
  if (config.layers < 2) fail_usage("model.programmer.layers is {}; film needs at least 2", config.layers);
  const int64_t flat = state.tokens * state.width, hidden = config.hidden;
  state_layers_ = register_module(
      "state", nn::Sequential(nn::Linear(flat, hidden), nn::ReLU(), nn::Linear(hidden, hidden), nn::ReLU()));
  target_layers_ = register_module("target", nn::Sequential(nn::Linear(flat, hidden), nn::ReLU()));
  gamma_ = register_module("gamma", nn::Linear(hidden, hidden));
  beta_ = register_module("beta", nn::Linear(hidden, hidden));
  ProgrammerConfig rest = config;
  rest.layers -= 2;
  output_layers_ = register_module("output", make_mlp(hidden, rest, action_width));
}

torch::Tensor FilmProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  const auto goal = target_layers_->forward(target.flatten(1));
  const auto h = gamma_->forward(goal) * state_layers_->forward(state.flatten(1)) + beta_->forward(goal);
  return output_layers_->forward(h);
}

ProjectionProgrammer::ProjectionProgrammer(const ProgrammerConfig& config, const StateShape& state,
                                           int64_t action_width)
    : shape_(state) {
  features_ = register_module("features", nn::Linear(state.width, config.features));
  layers_ = register_module(
      "layers", make_mlp(2 * (state.rows + state.columns) * config.features, config, action_width));
}

torch::Tensor ProjectionProgrammer::encode_state(const torch::Tensor& states) {
  const auto h =
      torch::relu(features_->forward(states)).view({states.size(0), shape_.rows, shape_.columns, -1});
  return torch::cat({h.sum(1).flatten(1), h.sum(2).flatten(1)}, /*dim=*/1);
}

// Every cell of a value has the same features, so a sum over cells is a sum over values, by how often each
// occurs.
torch::Tensor ProjectionProgrammer::encode_state_observation(ObservationModel& observation,
                                                             const torch::Tensor& observations) {
  const auto* tokens = dynamic_cast<TokenEmbedding*>(&observation);
  if (!tokens || observation.space().channels() > 1 || observations.scalar_type() != torch::kByte)
    return Programmer::encode_state_observation(observation, observations);
  const auto values = tokens->vectors();
  const auto counts = line_counts(observations, shape_.rows, shape_.columns, values.size(0));
  return counts.matmul(torch::relu(features_->forward(values))).flatten(1);
}

torch::Tensor ProjectionProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  return dense(torch::cat({state, target}, /*dim=*/1), layers_);
}

TransformerProgrammer::TransformerProgrammer(const ProgrammerConfig& config, const StateShape& state,
                                             int64_t action_width)
    : tokens_(state.tokens) {
  const int64_t width = config.hidden;
  if (width % 4 != 0 || width % config.heads != 0)
    fail_usage("model.programmer.hidden is {}; a transformer needs a multiple of 4 and of its {} heads",
               width, config.heads);
  in_ = register_module("in", nn::Linear(state.width, width));
  action_ = register_parameter("action", torch::randn({1, width}));
  place_ = register_parameter("place", torch::randn({tokens_, width / 4}));
  side_ = register_parameter("side", torch::randn({2, width / 4}));
  joint_ = register_parameter("joint", torch::randn({2 * tokens_, width / 2}));
  for (int64_t i = 0; i < config.layers; ++i) {
    layers_.push_back(
        register_module("layer" + std::to_string(i),
                        EncoderLayer(TransformerShape{width, config.heads, config.feedforward})));
  }
  out_ = register_module("out", nn::Linear(width, action_width));
}

torch::Tensor TransformerProgrammer::propose(const torch::Tensor& state, const torch::Tensor& target) {
  return by_rows(
      {state, target}, parameters(), [this](const auto& rows) { return attend(rows[0], rows[1]); },
      kProgrammerRows);
}

torch::Tensor TransformerProgrammer::attend(const torch::Tensor& state, const torch::Tensor& target) {
  const auto where = torch::cat({place_.repeat({2, 1}), side_.repeat_interleave(tokens_, 0), joint_}, 1);
  const auto both = in_->forward(torch::cat({state, target}, 1)) + where;
  auto tokens = torch::cat({action_.expand({state.size(0), 1, -1}), both}, 1);
  for (auto& layer : layers_) tokens = layer->forward(tokens, &layer == &layers_.back() ? 1 : 0);
  return out_->forward(tokens.select(1, 0));
}

std::shared_ptr<Programmer> make_programmer(const ProgrammerConfig& config, const StateShape& state,
                                            int64_t action_width) {
  if (config.kind == "mlp") return std::make_shared<MlpProgrammer>(config, state, action_width);
  if (config.kind == "film") return std::make_shared<FilmProgrammer>(config, state, action_width);
  if (config.kind == "products") return std::make_shared<ProductProgrammer>(config, state, action_width);
  if (config.kind == "projections")
    return std::make_shared<ProjectionProgrammer>(config, state, action_width);
  if (config.kind == "transformer")
    return std::make_shared<TransformerProgrammer>(config, state, action_width);
  fail_usage("unknown programmer '{}'; one of: mlp, film, products, projections, transformer", config.kind);
}

}  // namespace neo
