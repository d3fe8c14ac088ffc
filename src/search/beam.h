#pragma once

#include <vector>

#include "rollout/rollout.h"

namespace neo {

struct BeamOptions {
  int64_t depth = 3;    // longest program
  int64_t width = 4;    // observations kept per step
  double lambda = 1.0;  // MDL coefficient
  // Which program wins:
  //   shortest  the shortest exact one, else argmin lambda^k loss_k; nearer observations are kept first
  //   cheapest  the one of least description length, sum of its codes' prices + uncertainty of every
  //             intermediate observation + loss; exact or not. Cheaper observations are kept first.
  bool shortest = true;
  torch::Tensor price;  // [|E|] of using each code once, in units of the loss (cheapest)
};

// What a search found for each of B pairs.
struct BeamResult {
  Programs programs;    // codes [B, depth]
  torch::Tensor exact;  // [B] bool
  torch::Tensor score;  // [B] by which the chosen program won
  int64_t calls = 0;    // executor calls per pair
};

// Tries `codes` on every observation of the beam, from hard observations; observations that were reached
// before are dropped (equal observations have equal futures). x, y: [B, N].
BeamResult beam_search(HardExecutor& executor, const std::vector<int64_t>& codes, const torch::Tensor& x,
                       const torch::Tensor& y, const BeamOptions& options);

}  // namespace neo
