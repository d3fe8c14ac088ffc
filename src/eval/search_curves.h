#pragma once

#include "eval/transfer.h"
#include "search/best_first.h"
#include "search/sampling.h"

namespace neo {

// Transfer against executor calls, one score per budget. A search sees the support pair and, to tell theories
// apart, unlabelled inputs; query targets are only compared with what it predicts.

struct VoteOptions {
  bool by_behaviour =
      false;           // programs are one theory if they do the same with probes; else if spelled alike
  int64_t probes = 1;  // the query's input, then inputs of other episodes
};

// NEO-S at every budget of `options`; `calls` is budget x K.
std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const EpisodeSet& episodes,
                                          const SamplingOptions& options, uint64_t seed,
                                          const VoteOptions& voting = {});

struct BestFirstCurve {
  BestFirstOptions search;
  std::vector<int64_t> calls;  // executor calls per episode at most, ascending
  int64_t voters = 16;         // the likeliest programs of a pair, which vote
  VoteOptions voting{.by_behaviour = true};
};
// The programmer's likeliest theory, or the nearest program where none explains the pair. `calls` is the
// bound.
std::vector<SplitScore> evaluate_best_first(NeoImpl& model, const EpisodeSet& episodes,
                                            const BestFirstCurve& options);

}  // namespace neo
