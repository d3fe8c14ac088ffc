#pragma once

#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>

#include "core/safetensors.h"
#include "model/config.h"
#include "model/executor.h"
#include "model/programmer.h"
#include "model/quantizer.h"
#include "observe/observation_model.h"

namespace neo {

// The Neural Theorizer: an observation model, a programmer, an executor and the codebook they share (the
// baselines: one vector).
class NeoImpl : public torch::nn::Module {
 public:
  NeoImpl(const NeoConfig& config, const Space& space);

  const Space& space() const { return observation_->space(); }
  const NeoConfig& config() const { return config_; }
  ObservationModel& observation() { return *observation_; }
  Programmer& programmer() { return *programmer_; }
  Executor& executor() { return *executor_; }
  Bottleneck& bottleneck() { return *bottleneck_; }
  bool has_codes() const { return quantizer_ != nullptr; }
  QuantizerImpl& quantizer();  // an Error where there is no codebook

  // One step of a program: s' = f(s, e_code).
  torch::Tensor step(const torch::Tensor& state, const torch::Tensor& codes) {
    return executor_->forward(state, quantizer().vectors(codes));
  }

 private:
  NeoConfig config_;
  std::shared_ptr<ObservationModel> observation_;
  std::shared_ptr<Programmer> programmer_;
  std::shared_ptr<Executor> executor_;
  std::shared_ptr<Bottleneck> bottleneck_;
  QuantizerImpl* quantizer_ = nullptr;  // the bottleneck, if it is a codebook
};
TORCH_MODULE(Neo);

}  // namespace neo
