#pragma once

#include <vector>

#include "core/rng.h"
#include "search/candidates.h"

namespace neo {

// NEO-S (Alg. 3): draws programs from the programmer, keeps those that explain the support pair exactly, and
// lets the most frequent one win. Programs run on hard observations.
struct SamplingOptions {
  int64_t draws = 64;
  int64_t steps = 4;  // K
  double temperature = 0.3;
  std::vector<int64_t> budgets{1, 2, 4, 8, 16, 32, 64};  // nested prefixes of the draws
};

// In order of drawing.
Candidates draw_candidates(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const SamplingOptions& options, RngStream& random);

// The winner among the first `budget` candidates of each pair, as an index into the draws; -1: nobody solved
// it. Programs are equal when their codes up to the solving step are; ties go to the one seen first.
torch::Tensor majority_vote(const Candidates& candidates, int64_t budget);  // [E]

// Program `index[e]` of each pair; length 0 where the index is -1.
Programs pick(const Candidates& candidates, const torch::Tensor& index);

}  // namespace neo
