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
};
// Where no program explains the pair, the nearest one is chosen. `calls` is the bound.
std::vector<SplitScore> evaluate_best_first(NeoImpl& model, const Episodes& episodes,
                                            const BestFirstCurve& options);

}  // namespace neo
