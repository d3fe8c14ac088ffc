#pragma once

#include "search/sampling.h"

namespace neo {

// NEO-S without replacement: no program is drawn twice. The first b draws are, for every b, a sample of b
// different programs (stochastic beam search by Gumbel top-k; Kool et al., arXiv 1903.06059), and cost at
// most b K executor calls, as b draws with replacement do. A program ends where it reaches y.
Candidates draw_distinct(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                         const SamplingOptions& options, RngStream& random);

}  // namespace neo
