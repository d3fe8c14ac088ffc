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

std::shared_ptr<ObservationModel> make_observation_model(const ObservationConfig& config,
                                                         const World& world) {
  if (config.kind == "tokens") return std::make_shared<TokenEmbedding>(world.values(), config.width);
  if (config.kind == "grid-vae") return std::make_shared<GridVae>(config.width, config.beta);
  if (config.kind == "digits") return std::make_shared<DigitEmbedding>(world.values(), config.width);
  if (config.kind == "linear") return std::make_shared<LinearObservation>(world.size(), config.width);
  if (config.kind == "residual-vae")
    return std::make_shared<ResidualVae>(world.size(), config.width, config.beta);
  fail_usage("unknown observation model '{}'; one of: grid-vae, tokens, digits, residual-vae, linear",
             config.kind);
}

}  // namespace neo
