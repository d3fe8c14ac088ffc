#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "eval/search_curves.h"
#include "train/config.h"

namespace neo {

inline constexpr int64_t kBeamWidth = 24;  // of the search over images

// How `neo eval` searches for programs.
struct SearchFlags {
  std::string search = "both";       // greedy, sample, best-first, both (the first two) or all
  int64_t draws = 0;                 // NEO-S; 0: the preset's
  std::vector<int64_t> calls;        // empty: those of NEO-S at 1, 2, 4, ... draws
  std::vector<double> temperatures;  // empty: the preset's for NEO-S, its own for best-first
  std::string choice;                // empty: sequence for NEO-S, description for best-first
  int64_t probes = 1;
  bool without_replacement = false;
  bool settle = false;
  uint64_t seed = 42;
  bool wants(std::string_view strategy) const;
};
void add_search_flags(CLI::App& command, SearchFlags& flags);

// Every strategy that was asked for beyond greedy induction, one score for each number of calls.
std::vector<SplitScore> evaluate_searches(NeoImpl& model, const EpisodeSet& episodes,
                                          const EvaluationConfig& config, int64_t steps,
                                          const SearchFlags& flags);

}  // namespace neo
