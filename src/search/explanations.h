#pragma once

#include "rollout/rollout.h"

namespace neo {

// The programs that a theory finds for B pairs by its policy: what evaluation, inspection and explanations
// all use.
struct Explanations {
  Programs programs;
  Trajectory trajectory;  // of all K steps (greedy), or of the programs themselves (beam)
  torch::Tensor tried_losses, tried_exact;  // [B, K] what the length rule chose from, infinite where there was nothing
  torch::Tensor ends;     // [B, N] results of the programs on x
  torch::Tensor losses;   // [B] l(y, y^)
  torch::Tensor exact;    // [B] bool
  torch::Tensor solved;   // [B] bool: explained, exactly or to within the policy's tolerance
};

// x, y: [B, N]; the caller bounds the number of rows. Pass an executor to reuse its cache.
Explanations explain_pairs(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const Policy& policy, HardExecutor* executor = nullptr);

// The programs on other inputs: [B, N].
torch::Tensor apply_programs(NeoImpl& model, const torch::Tensor& x, const Programs& programs,
                             const Policy& policy, HardExecutor* executor = nullptr);

}  // namespace neo
