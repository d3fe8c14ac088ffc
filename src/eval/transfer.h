#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "eval/episodes.h"
#include "rollout/rollout.h"
#include "search/sampling.h"

namespace neo {

// One line of the evaluation table.
struct SplitScore {
  std::string name;
  int64_t episodes = 0;
  std::string method = "neo";
  std::string search = "greedy";  // greedy, sample
  double temperature = 0;         // of sampling
  int64_t budget = 1;             // draws
  int64_t calls = 0;              // executor calls per episode on the support pair
  bool hard_grounding = true;
  double self = 0;         // exact share (or mean L1) on the support pair
  double transfer = 0;     // the same on the query pair
  double pass = 0;         // oracle: any candidate that explains the support also transfers
  double mean_length = 0;  // of the induced programs
  // Pixels only: L1 of leaving the query as it is, and of y itself sent through the observation model.
  double identity = 0, floor = 0;
};
nlohmann::json to_json(const SplitScore& score);

struct TransferOptions {
  int64_t steps = 4;
  bool hard_grounding = true;
  Fallback fallback = Fallback::all_steps;
  double lambda = 1.0;
};

// Greedy evaluation: induce from the support pair, replay on the query.
SplitScore evaluate_greedy(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& options);
// For worlds without exact matches: a beam over latent states, the program of least loss on the support pair
// wins; a longer one must be better by a margin. `calls` counts the executor's.
SplitScore evaluate_latent_beam(NeoImpl& model, const EpisodeSet& episodes, int64_t steps, int64_t width);
// NEO-S at every budget of `options`.
std::vector<SplitScore> evaluate_sampling(NeoImpl& model, const EpisodeSet& episodes,
                                          const SamplingOptions& options, uint64_t seed);

}  // namespace neo
