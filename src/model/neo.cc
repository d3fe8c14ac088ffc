#include "model/neo.h"

#include "core/error.h"

namespace neo {
NeoImpl::NeoImpl(const NeoConfig& config, const Space& space) : config_(config) {
  // The order of construction is the order of random initialisation: keep it.
  observation_ = register_module("observation", make_observation_model(config.observation, space));
  const StateShape state = observation_->state();
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
