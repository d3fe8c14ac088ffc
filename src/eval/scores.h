#pragma once

#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/progress.h"
#include "eval/episodes.h"
#include "search/explanations.h"

namespace neo {

// One line of the evaluation table.
struct SplitScore {
  std::string name;
  int64_t episodes = 0;
  std::string method = "neo";     // which method explains; neo-s: NEO with a search
  std::string search = "greedy";  // greedy, sample, sample-without-replacement, best-first, beam
  double temperature = 0;         // of sampling
  int64_t budget = 1;             // draws; best-first: programs to choose from
  int64_t steps = 0;              // K
  int64_t calls = 0;              // executor calls per episode on the support pair, at most
  bool hard_grounding = true;
  double self = 0;                 // exact share (or mean error) on the support pair
  double explained = 0;            // share of support pairs explained to within the tolerance
  double error = 0;                // mean distance of what their programs give from y, see Readout::error
  std::optional<double> transfer;  // as `self`, on the query pair; nothing where there are no groups
  double pass = 0;  // oracle: share where any candidate that explains the support also transfers
  double mean_length = 0;          // of the induced programs
  // Searches only: mean calls used, mean calls that replay programs on probes, and how the program
  // was chosen (sequence, behaviour, description).
  double calls_used = 0, probe_calls = 0;
  std::string choice = "";
  bool query_probe = true;  // whether the choice replays programs on the query's input
  // Where nothing is ever exact: the error of leaving x as it is, and of y itself sent through the observation
  // model.
  double identity = 0, floor = 0;
};
nlohmann::json to_json(const SplitScore& score);

// Which rows are predicted to the last element, [B] bool.
torch::Tensor exact_rows(const torch::Tensor& prediction, const torch::Tensor& target);

// Explains every support pair by the policy and replays the program on the query. Where observations can match
// exactly, a support pair that is not explained counts as a failure, as with every search.
// `progress` is advanced by episodes, if given.
SplitScore evaluate_policy(NeoImpl& model, const Episodes& episodes, const Policy& policy, Progress* progress = nullptr);

}  // namespace neo
