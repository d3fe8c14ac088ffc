#pragma once

#include "eval/scores.h"
#include "search/best_first.h"
#include "search/sampling.h"
#include "search/voting.h"

namespace neo {

// Transfer against executor calls, one score per budget; episodes must have queries. A search sees the
// support pair and, to tell programs apart, unlabelled inputs; query targets are only compared with its
// predictions.

struct ChoiceOptions {
  Choice by = Choice::sequence;
  int64_t probes = 1;  // the query's input, then inputs of other episodes; not for `sequence`
  bool query = true;   // false: the support pair's own input takes the place of the query's
};

// NEO-S at every budget of `options`; `calls` is budget x K.
std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const Episodes& episodes,
                                          const SamplingOptions& options, uint64_t seed,
                                          const ChoiceOptions& choice = {});

struct BestFirstCurve {
  BestFirstOptions search;
  std::vector<int64_t> calls;  // executor calls per episode at most, ascending
  int64_t most = 16;           // likeliest programs of a pair to choose from
  ChoiceOptions choice{.by = Choice::description};
  Progress* progress = nullptr;  // advanced by episodes
};
// A pair that no program explains counts as a failure. `calls` is the bound.
std::vector<SplitScore> evaluate_best_first(NeoImpl& model, const Episodes& episodes,
                                            const BestFirstCurve& options);

// NEO-S of a theory without codes: vectors drawn from the programmer's normal distribution and run in one
// step; the first that explains the support pair is chosen. For observations that can match exactly.
std::vector<SplitScore> evaluate_vector_sampling(NeoImpl& model, const Episodes& episodes,
                                                 const std::vector<int64_t>& budgets, bool hard_grounding,
                                                 uint64_t seed, Progress* progress = nullptr);

}  // namespace neo
