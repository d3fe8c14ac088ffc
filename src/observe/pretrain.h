#pragma once

#include <torch/torch.h>

#include "observe/observation_model.h"

namespace neo {

// For an observation model of this kind; the paper's schedule for its image model.
PretrainConfig default_pretraining(const std::string& kind);

// Trains an observation model on single observations [P, N] and freezes it.
void pretrain(ObservationModel& model, const torch::Tensor& observations, const PretrainConfig& config,
              uint64_t seed);

// Share of observations [P, N] that are reconstructed exactly (categorical), or mean error (pixels, real
// numbers; see Readout::error).
double reconstruction(ObservationModel& model, const torch::Tensor& observations);

}  // namespace neo
