#pragma once

#include <string>
#include <vector>

#include "eval/search_curves.h"

namespace neo {

// How an evaluation searches for programs.
struct StrategyRequest {
  // policy (the theory's own), greedy, beam, sample, best-first; both: the theory's own, greedy and sample; all: also
  // best-first. What a split cannot be searched with is left out of both and all.
  std::string search = "both";
  int64_t draws = 0;                 // NEO-S; 0: the policy's
  std::vector<int64_t> calls;        // empty: those of NEO-S at 1, 2, 4, ... draws
  std::vector<double> temperatures;  // empty: the policy's for NEO-S, its own for best-first
  std::string choice;                // empty: sequence for NEO-S, description for best-first
  int64_t probes = 1;
  bool without_replacement = false;
  bool stop_early = false;
  uint64_t seed = 42;
  bool wants(std::string_view strategy) const;
  bool needs_queries() const;  // what was asked for is nothing without groups
};

// Every requested strategy except greedy induction, one score for each number of calls.
std::vector<SplitScore> evaluate_searches(NeoImpl& model, const Episodes& episodes, const Policy& policy,
                                          const StrategyRequest& request);

}  // namespace neo
