#pragma once

#include <torch/torch.h>

#include <vector>

#include "model/hard_executor.h"
#include "rollout/length.h"
#include "rollout/refine.h"

namespace neo {

// A batch of programs: codes [B, K] int64, of which the first lengths[b] count.
struct Programs {
  torch::Tensor codes;         // [B, K]
  torch::Tensor lengths;       // [B]
  torch::Tensor vectors = {};  // [B, K, A] in place of codes, where a theory has none
};

// What happened on the way from x, for B rows and K steps. Losses are against y where one was given.
struct Trajectory {
  torch::Tensor codes;                // [B, K]
  torch::Tensor vectors;              // [B, K, A] in place of codes, where a theory has none
  torch::Tensor losses, self_losses;  // [B, K] l(y, y^_k), and the uncertainty of each prediction
  torch::Tensor exact;                // [B, K] bool
  torch::Tensor log_probability;      // [B, K] of each code; undefined unless a temperature was given
  // K + 1 times [B, N]: x, then the hard observation after each step.
  std::vector<torch::Tensor> observations;
  // The observation after each row's own last step, [B, N].
  torch::Tensor ends(const torch::Tensor& lengths) const;
};

struct RolloutOptions {
  bool hard_grounding = true;        // continue from the re-encoded hard observation
  double temperature = 0.0;          // of the programmer's distribution; 0: probabilities are not wanted
  HardExecutor* executor = nullptr;  // runs the codes instead of the model's own; pass one to reuse its cache
};

// Lets the programmer explain B pairs at once, in `steps` steps: it chooses the nearest code, or with
// `uniforms` [B, K] in [0, 1) one sampled from softmax(-d^2 / temperature). No gradient. x, y: [B, N].
struct InductionOptions : RolloutOptions {
  int64_t steps = 4;           // K
  torch::Tensor uniforms;      // for sampling
  Refinement refinement = {};  // of vectors, where a theory has no codes
};
Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const InductionOptions& options);

// Runs given programs: a row stays where its own program ends. y may be undefined. The one way to run a
// program.
Trajectory run_programs(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                        const Programs& programs, const RolloutOptions& options);

}  // namespace neo
