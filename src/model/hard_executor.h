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
  // [P], optional: a step whose loss and self-loss are both above its limit can be pruned. It may be given up
  // half-way; its losses then only say that they are above. The last step of a program has its loss alone to
  // show.
  torch::Tensor limit;
  bool last = false;
};

// Codes on hard observations, o' = harden(D(f(E(o), e_z))): the step of which search, transfer and dreams are
// made. Without gradient. Valid as long as the weights stay as they are.
class HardExecutor {
 public:
  virtual ~HardExecutor() = default;
  virtual Reading step(const StepBatch& batch) = 0;
  // One code on each observation, without a target: [B, N].
  torch::Tensor next(const torch::Tensor& observations, const torch::Tensor& codes);
};

// The cheapest way that suits the model; equal results up to rounding.
std::unique_ptr<HardExecutor> make_hard_executor(NeoImpl& model);
// The plain way: encode, execute, decode. For any model, and the reference for the others.
std::unique_ptr<HardExecutor> make_plain_hard_executor(NeoImpl& model);

// sum_i weights[i] l(to[i], D(f(E(from[i]), e_codes[i]))), with gradient.
torch::Tensor transition_loss(NeoImpl& model, const torch::Tensor& from, const torch::Tensor& codes,
                              const torch::Tensor& to, const torch::Tensor& weights);

}  // namespace neo
