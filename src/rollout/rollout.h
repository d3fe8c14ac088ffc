#pragma once

#include <torch/torch.h>

#include <vector>

#include "model/hard_executor.h"
#include "rollout/refine.h"

namespace neo {

// A batch of programs: codes [B, K] int64, of which the first lengths[b] count.
struct Programs {
  torch::Tensor codes;         // [B, K]
  torch::Tensor lengths;       // [B]
  torch::Tensor vectors = {};  // [B, K, A] in place of codes, where a theory has none
};

// What happened on the way from x towards y, for B pairs and K steps.
struct Trajectory {
  torch::Tensor codes;              // [B, K]
  torch::Tensor losses;             // [B, K] l(y, y^_k)
  torch::Tensor exact;              // [B, K] bool
  torch::Tensor vectors;            // [B, K, A] in place of codes, where a theory has none
  std::vector<torch::Tensor> hard;  // K times [B, N] uint8: the decoded observation after each step
  torch::Tensor log_probability;    // [B, K] of each code where it was chosen; undefined at temperature 0
};

struct RolloutOptions {
  int64_t steps = 4;                 // K
  bool hard_grounding = true;        // continue from the re-encoded hard observation
  double temperature = 0.0;          // 0: nearest code; else sample from softmax(-d^2 / T) with `uniforms`
  torch::Tensor uniforms;            // [B, K] in [0, 1), for sampling
  torch::Tensor codes;               // [B, K], optional: these are run, whatever the programmer proposes
  HardExecutor* executor = nullptr;  // what runs the codes instead of the model's own executor
  Refinement refinement = {};        // of vectors, where a theory has no codes
};

// Lets the programmer explain B pairs at once. No gradient. x, y: uint8 [B, N].
Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const RolloutOptions& options);

// Runs programs on inputs: the decoded observation after each row's own last step, uint8 [B, N]. A program
// of length 0 gives x back.
torch::Tensor execute(NeoImpl& model, const torch::Tensor& x, const Programs& programs, bool hard_grounding);

// Every observation on the way: uint8 [B, K + 1, N], x first. A row stays where its own program ends.
torch::Tensor trace(HardExecutor& executor, const torch::Tensor& x, const Programs& programs);

// The length of each explanation: the shortest exact prefix; without one, all K steps, or (mdl) the
// argmin over k of lambda^k loss_k (Eq. 5).
enum class Fallback { all_steps, mdl };
Fallback fallback_named(const std::string& name);  // "all" or "mdl"
torch::Tensor explanation_lengths(const Trajectory& trajectory, Fallback fallback, double lambda);  // [B]

}  // namespace neo
