#include "model/neo.h"

namespace neo {

NeoImpl::NeoImpl(const NeoConfig& config, const World& world) : world_(&world), config_(config) {
  // The order of construction is the order of random initialisation: keep it.
  const StateShape state{config.observation.tokens, config.observation.width};
  observation_ = register_module("observation", make_observation_model(config.observation, world));
  programmer_ = register_module("programmer", make_programmer(config.programmer, state, config.quantizer.width));
  executor_ = register_module("executor", make_executor(config.executor, state, config.quantizer.width));
  quantizer_ = register_module("quantizer", Quantizer(config.quantizer));
}

}  // namespace neo
