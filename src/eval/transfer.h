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
  std::string method = "neo";     // who explains; neo-s: NEO with a search
  std::string search = "greedy";  // greedy, sample, sample-without-replacement, best-first, beam
  double temperature = 0;         // of sampling
  int64_t budget = 1;             // draws; best-first: programs to choose from
  int64_t calls = 0;              // executor calls per episode on the support pair, at most
  bool hard_grounding = true;
  double self = 0;         // exact share (or mean L1) on the support pair
  double transfer = 0;     // the same on the query pair
  double pass = 0;         // oracle: any candidate that explains the support also transfers
  double mean_length = 0;  // of the induced programs
  // Searches only: calls as they were on average, those that replay programs on probes, and how the theory
  // was chosen (sequence, behaviour, description).
  double calls_used = 0, probe_calls = 0;
  std::string choice = "";
  // Pixels only: L1 of leaving the query as it is, and of y itself sent through the observation model.
  double identity = 0, floor = 0;
};
nlohmann::json to_json(const SplitScore& score);

struct TransferOptions {
  int64_t steps = 4;
  bool hard_grounding = true;
  Fallback fallback = Fallback::all_steps;
  double lambda = 1.0;
  Refinement refinement = {};  // Cont-Mono-Opt: on the support pair only
};

// Which rows are predicted to the last cell, [B] bool.
torch::Tensor exact_rows(const torch::Tensor& prediction, const torch::Tensor& target);

// Greedy evaluation: induce from the support pair, replay on the query.
SplitScore evaluate_greedy(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& options);
// For worlds without exact matches: a beam over latent states, the program of least loss on the support pair
// wins; a longer one must be better by a margin. `calls` counts the executor's.
SplitScore evaluate_latent_beam(NeoImpl& model, const EpisodeSet& episodes, int64_t steps, int64_t width);

}  // namespace neo
