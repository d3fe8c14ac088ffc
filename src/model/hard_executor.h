#pragma once

#include <memory>

#include "model/neo.h"

namespace neo {

// One step of many programs: code codes[i] on observations[source[i]], read against targets[source[i]].
struct StepBatch {
  torch::Tensor observations;  // [U, N]
  torch::Tensor targets;       // [U, N]
  torch::Tensor source;        // [P]
  torch::Tensor codes;         // [P]
  // [P], optional: a step whose loss and self-loss are both above its limit can be pruned. It may be
  // abandoned half-way; its losses are then only known to exceed the limit. For the last step of a program
  // only the loss counts.
  torch::Tensor limit;
  bool last = false;
};

// Codes on hard observations, o' = harden(D(f(E(o), e_z))): the step that search, transfer and dreams are
// made of. Without gradient. Valid as long as the weights do not change.
class HardExecutor {
 public:
  virtual ~HardExecutor() = default;
  virtual Reading step(const StepBatch& batch) = 0;
  // One code on each observation, without a target: [B, N].
  torch::Tensor next(const torch::Tensor& observations, const torch::Tensor& codes);
};

// The fastest implementation that suits the model; equal results up to rounding.
std::unique_ptr<HardExecutor> make_hard_executor(NeoImpl& model);
// The plain implementation: encode, execute, decode. For any model, and the reference for the others.
std::unique_ptr<HardExecutor> make_plain_hard_executor(NeoImpl& model);

// sum_i weights[i] l(to[i], D(f(E(from[i]), e_codes[i]))), with gradient.
torch::Tensor transition_loss(NeoImpl& model, const torch::Tensor& from, const torch::Tensor& codes,
                              const torch::Tensor& to, const torch::Tensor& weights);

}  // namespace neo
