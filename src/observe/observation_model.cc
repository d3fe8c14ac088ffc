#include "observe/observation_model.h"

#include "core/error.h"
#include "observe/digit_embedding.h"
#include "observe/grid_vae.h"
#include "observe/linear_observation.h"
#include "observe/residual_vae.h"
#include "observe/token_embedding.h"

namespace neo {

void ObservationModel::freeze() {
  eval();
  for (auto& parameter : parameters()) parameter.requires_grad_(false);
}

ObservationModel::Decoded ObservationModel::decode_candidates(const torch::Tensor& states) {
  torch::NoGradGuard no_grad;
  return {decode(states),
          [this](const torch::Tensor& chosen, const torch::Tensor&) { return decode(chosen); }};
}

namespace {

void need(bool suits, const ObservationConfig& config, const Space& space, std::string_view what) {
  if (!suits)
    fail_usage("model.observation.kind {} reads {}, not a {}; choose another with --set", config.kind, what,
               describe(space));
}

}  // namespace

std::shared_ptr<ObservationModel> make_observation_model(const ObservationConfig& config,
                                                         const Space& space) {
  if (config.kind == "tokens") {
    need(space.is_categorical(), config, space, "categories");
    return std::make_shared<TokenEmbedding>(space, config.width);
  }
  if (config.kind == "digits") {
    need(space.is_categorical() && space.channels() == 1, config, space, "categories of one channel");
    return std::make_shared<DigitEmbedding>(space, config.width);
  }
  if (config.kind == "grid-vae") {
    need(
        space.layout == Layout::grid && space.channels() == 1 && std::min(space.rows(), space.columns()) >= 5,
        config, space, "grids of one channel, at least 5x5");
    return std::make_shared<GridVae>(space, config.width, config.beta);
  }
  if (config.kind == "linear") {
    need(!space.is_categorical(), config, space, "pixels and real numbers");
    return std::make_shared<LinearObservation>(space, config.width);
  }
  if (config.kind == "residual-vae") {
    need(space.layout == Layout::image && space.rows() % 8 == 0 && space.columns() % 8 == 0, config, space,
         "images whose sides are multiples of 8");
    return std::make_shared<ResidualVae>(space, config.width, config.beta);
  }
  fail_usage("unknown observation model '{}'; one of: grid-vae, tokens, digits, residual-vae, linear",
             config.kind);
}

}  // namespace neo
