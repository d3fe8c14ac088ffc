#pragma once

#include <cstdint>
#include <string>

#include "core/allowed.h"

// Settings know no torch, here and in model/ and train/, so that the command line can list them without it.
namespace neo {

// Shapes: B rows, N elements of an observation, T state tokens of width D. T follows from kind and space.
struct ObservationConfig {
  std::string kind = "tokens";  // grid-vae, tokens, digits, residual-vae, linear
  int64_t width = 32;           // D; tokens: of one channel; linear: at most
  double beta = 0.0;            // weight of the KL term while pretraining a VAE
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "grid-vae, tokens (one unit vector per value), digits (embedding and read-out), residual-vae or "
          "linear",
          one_of({"grid-vae", "tokens", "digits", "residual-vae", "linear"}));
    field("width", c.width, "width D of a state token; tokens: for every channel; linear: at most",
          between(1, 4096));
    field("beta", c.beta, "weight of the KL term in pretraining", between(0, 1e6));
  }
};

struct PretrainConfig {
  int64_t steps = 4000;
  int64_t batch = 512;
  double rate = 5e-3;
  double decay = 0.01;
  double floor = 0.005;  // final learning rate, relative
  double clip = 1.0;
  int64_t least = 0;     // fewest observations to train on
  int64_t held_out = 0;  // observations to score afterwards, spread over the split; 0: all
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "optimiser steps", between(1, kAnyCount));
    field("batch", c.batch, "observations per step", between(1, 1 << 20));
    field("rate", c.rate, "learning rate", between(0, 10));
    field("decay", c.decay, "decoupled weight decay", between(0, 1000));
    field("floor", c.floor, "learning rate at the end, relative", between(0, 1));
    field("clip", c.clip, "largest gradient norm", between(0, 1e9));
    field("least", c.least, "fewest observations to train on", between(0, kAnyCount));
    field("held_out", c.held_out, "held-out observations to score; 0: all", between(0, kAnyCount));
  }
};

}  // namespace neo
