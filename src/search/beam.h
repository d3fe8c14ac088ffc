#pragma once

#include <vector>

#include "rollout/rollout.h"

namespace neo {

struct BeamOptions {
  int64_t depth = 3;  // longest program
  int64_t width = 4;  // observations kept per step
  // Which program wins:
  //   shortest  of the nearest programs of each length the one that `rule` chooses; nearer observations are
  //             kept first
  //   cheapest  the one of least description length, sum of its codes' prices + uncertainty of every
  //             intermediate observation + loss; exact or not. Cheaper observations are kept first.
  bool shortest = true;
  LengthRule rule = {Fallback::mdl};
  torch::Tensor price;  // [|E|] of using each code once, in units of the loss (cheapest)
};

// What a search found for each of B pairs.
struct BeamResult {
  Programs programs;    // codes [B, depth]
  torch::Tensor exact;  // [B] bool
  // Shortest: what the rule chose from, the nearest program of each length; infinite where a length was not tried.
  torch::Tensor losses, matches;  // [B, depth], [B, depth] bool
  int64_t calls = 0;    // executor calls per pair
};

// Tries `codes` on every observation of the beam, from hard observations; observations that were reached
// before are dropped (equal observations have equal futures). x, y: [B, N].
BeamResult beam_search(HardExecutor& executor, const std::vector<int64_t>& codes, const torch::Tensor& x,
                       const torch::Tensor& y, const BeamOptions& options);

}  // namespace neo
