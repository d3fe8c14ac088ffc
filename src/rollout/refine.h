#pragma once

#include "model/neo.h"

namespace neo {

// Search for a better vector at test time, z <- z + rate grad log p(y | x, z) (Cont-Mono-Opt), where log p is
// the sum over the elements of y. Each row keeps
// the best vector seen, so that refining never makes an explanation worse.
struct Refinement {
  int64_t steps = 0;  // 0: none
  double rate = 1.0;
};

// Vectors [B, A] that bring the executor from `states` [B, T, D] nearer to `targets`, [B, N].
torch::Tensor refine(NeoImpl& model, const torch::Tensor& states, const torch::Tensor& targets,
                     const torch::Tensor& vectors, const Refinement& refinement);

}  // namespace neo
