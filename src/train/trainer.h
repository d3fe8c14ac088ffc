#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/run_folder.h"
#include "train/adamw.h"
#include "train/config.h"
#include "train/objective.h"
#include "train/pairs.h"

namespace neo {

// What a validation found: a score to select checkpoints by (higher is better), and a record for the metrics.
struct Validation {
  double score = 0;
  nlohmann::json record;
};

struct TrainRequest {
  TrainConfig config;
  std::string preset;
  uint64_t seed = 42;
  std::filesystem::path observation_weights;     // pretrained E and D
  FreshPairs fresh;                              // where every pass has pairs of its own
  std::function<Validation(NeoImpl&)> validate;  // on ID only
  std::vector<std::string> command;              // for the manifest
  std::filesystem::path run;                     // folder
  bool resume = false;
  bool quiet = false;
};

// Programmer, executor and (gradient) codebook, each at its own learning rate.
std::vector<AdamW::Group> parameter_groups(NeoImpl& model, const OptimizerConfig& config);

// Trains in a run folder. Leaves best.safetensors (the theory with the best ID score, ties to the latest) and
// last.safetensors there. Interrupted at any moment, a resumed run ends in the same bytes.
void train(const TrainRequest& request, const PairSet& pairs);

}  // namespace neo
