#pragma once

#include <torch/torch.h>

#include "observe/observation_model.h"

namespace neo {

struct PretrainConfig {
  int64_t steps = 4000;
  int64_t batch = 512;
  double rate = 5e-3;
  double decay = 0.01;
  double floor = 0.005;  // final learning rate, relative
  double clip = 1.0;
  int64_t held_out = 0;  // observations to score afterwards, spread over the split; 0: all
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "optimiser steps");
    field("batch", c.batch, "observations per step");
    field("rate", c.rate, "learning rate");
    field("decay", c.decay, "decoupled weight decay");
    field("floor", c.floor, "learning rate at the end, relative");
    field("clip", c.clip, "largest gradient norm");
    field("held_out", c.held_out, "held-out observations to score; 0: all");
  }
};

// For an observation model of this kind; the paper's schedule for its image model.
PretrainConfig default_pretraining(const std::string& kind);

// Trains an observation model on single observations [P, N] and freezes it.
void pretrain(ObservationModel& model, const torch::Tensor& observations, const PretrainConfig& config,
              uint64_t seed);

// Share of observations [P, N] that are reconstructed exactly (categorical), or mean error (pixels, real
// numbers; see Readout::error).
double reconstruction(ObservationModel& model, const torch::Tensor& observations);

}  // namespace neo
