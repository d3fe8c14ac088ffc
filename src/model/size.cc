#include "model/size.h"

#include <algorithm>

namespace neo {
namespace {

// In doubles: products of what a damaged file claims may overflow anything else.
double real(int64_t value) { return static_cast<double>(value); }

bool has_token_per_cell(const ObservationConfig& config) {
  return config.kind == "tokens" || config.kind == "digits";
}

double transformer_layer(double width, double feedforward) {
  return 4 * width * width + 2 * width * feedforward;
}

double programmer_parameters(const ProgrammerConfig& c, const Space& space, double state) {
  const double hidden = real(c.hidden), features = real(c.features);
  const double layers = std::max(real(c.layers) - 1, 0.0) * hidden * hidden;
  if (c.kind == "transformer") return real(c.layers) * transformer_layer(hidden, real(c.feedforward));
  if (c.layers == 0) return 0;
  if (c.kind == "products") return 2 * state * (features + hidden) + features * hidden + layers;
  if (c.kind == "projections") return 2 * real(space.rows() + space.columns()) * features * hidden + layers;
  return 2 * state * hidden + layers;
}

double executor_parameters(const ExecutorConfig& c, const QuantizerConfig& codes, double state) {
  const double hidden = real(c.hidden), action = real(codes.width);
  if (c.kind == "bilinear") return action * state * state;
  if (c.kind == "local") return 2 * action * hidden;
  if (c.kind == "recurrent") return 7 * hidden * hidden;
  if (c.kind == "discovered") return action * action + real(c.words);
  if (c.kind == "attention")
    return real(c.layers) * (transformer_layer(hidden, real(c.feedforward)) + 2 * hidden * hidden);
  return (2 + 2 * real(c.blocks)) * hidden * hidden + 2 * state * hidden;
}

}  // namespace

double state_numbers(const ObservationConfig& config, const Space& space) {
  const double width = real(config.width);
  if (has_token_per_cell(config)) return width * real(space.size());
  return config.kind == "linear" ? std::min(width, real(space.size())) : width;
}

double least_parameters(const NeoConfig& config, const Space& space) {
  const double state = state_numbers(config.observation, space);
  const QuantizerConfig& codes = config.quantizer;
  return programmer_parameters(config.programmer, space, state) +
         executor_parameters(config.executor, codes, state) +
         (codes.kind == "codebook" ? real(codes.codes) * real(codes.width) : 0);
}

}  // namespace neo
