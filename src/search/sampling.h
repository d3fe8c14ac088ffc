#pragma once

#include <vector>

#include "core/progress.h"
#include "core/rng.h"
#include "search/voting.h"

namespace neo {

constexpr int64_t kDrawsAtOnce = 4096;  // keeps states within the cache hierarchy and memory small

// NEO-S (Alg. 3): draws programs from the programmer, keeps those that explain the support pair exactly, and
// lets the most frequent one win. Programs run on hard observations.
struct SamplingOptions {
  int64_t draws = 64;
  int64_t steps = 4;  // K
  double temperature = 0.3;
  std::vector<int64_t> budgets{1, 2, 4, 8, 16, 32, 64};  // nested prefixes of the draws
  bool without_replacement = false;                      // no program twice: draw_distinct()
  Progress* progress = nullptr;                          // advanced by the pairs that programs were drawn for
};

// In order of drawing.
Candidates draw_candidates(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                           const SamplingOptions& options, RngStream& random);

}  // namespace neo
