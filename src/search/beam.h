#pragma once

#include <vector>

#include "rollout/rollout.h"

namespace neo {

struct BeamOptions {
  int64_t depth = 3;    // longest program
  int64_t width = 4;    // observations kept per step
  double lambda = 1.0;  // MDL coefficient
};

// What the search found for each of B pairs: the shortest exact program, else argmin lambda^k loss_k.
struct Found {
  Programs programs;    // codes [B, depth]
  torch::Tensor exact;  // [B] bool
  torch::Tensor score;  // [B] lambda^k loss_k of the chosen program
  int64_t calls = 0;    // executor calls per pair
};

// Tries every code on every observation of the beam, from hard observations; observations that were reached
// before are dropped (equal observations have equal futures). No gradient. x, y: uint8 [B, N].
Found beam_search(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const BeamOptions& options);

}  // namespace neo
