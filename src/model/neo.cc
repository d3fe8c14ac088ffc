#include "model/neo.h"

#include "core/error.h"

namespace neo {
namespace {
StateShape state_shape(const ObservationConfig& config, const World& world) {
  StateShape state{config.tokens, config.width, 1, config.tokens};
  const auto shape = world.shape();
  if (config.tokens == world.size() && shape.size() == 2) {
    state.rows = shape[0];
    state.columns = shape[1];
  }
  return state;
}
}  // namespace

NeoImpl::NeoImpl(const NeoConfig& config, const World& world) : world_(&world), config_(config) {
  // The order of construction is the order of random initialisation: keep it.
  const StateShape state = state_shape(config.observation, world);
  observation_ = register_module("observation", make_observation_model(config.observation, world));
  programmer_ = register_module("programmer",
                                make_programmer(config.programmer, state, proposal_width(config.quantizer)));
  executor_ = register_module("executor", make_executor(config.executor, state, config.quantizer.width));
  bottleneck_ = register_module("quantizer", make_bottleneck(config.quantizer));
  quantizer_ = dynamic_cast<QuantizerImpl*>(bottleneck_.get());
}

QuantizerImpl& NeoImpl::quantizer() {
  if (!quantizer_)
    fail("this theory explains by continuous vectors and has no codes; choose one with a codebook");
  return *quantizer_;
}

}  // namespace neo
