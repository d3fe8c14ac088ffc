#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "neo/options.h"
#include "neo/structure.h"
#include "train/trainer.h"

namespace neo {

// Preset, then --config file, then --set assignments. `family`: a benchmark's name or a layout's. `pairs`: how many
// there are of own data, to which the preset's sizes are adapted; 0: as they are.
TrainConfig resolve_config(const std::string& family, const std::string& preset, double alpha,
                           const std::filesystem::path& file, const std::vector<std::string>& settings,
                           int64_t pairs = 0);

// weights/<family>-<kind>-observation.safetensors, as shipped for a benchmark.
std::filesystem::path observation_weights_path(const std::string& family, const TrainConfig& config);

// How the observation model of a run is made: loaded from `weights`, or fitted to single observations of the
// pairs where that is empty.
std::function<void(ObservationModel&)> observation_from(const std::filesystem::path& weights,
                                                        const ObservationConfig& config, const Pairs& pairs,
                                                        uint64_t seed);

// Validation on pairs that are not trained on: the share explained and, where there are groups, transferred.
std::function<Validation(NeoImpl&)> validation_on(const Pairs& pairs, const Policy& policy);

// Some pairs to store in a theory's file, a few hundred kilobytes at most.
std::vector<Pair> example_pairs(const Pairs& pairs);

// Everything that training needs: resolved settings, data, validation. A resumed run has its own options.
struct PreparedTraining {
  TrainRequest request;
  Pairs pairs;
  std::vector<StructureTrial> trials;  // what was found before training, where something was looked for
};
PreparedTraining prepare_training(TrainingOptions options);

// Where a training with these options goes.
std::filesystem::path run_folder_of(const TrainingOptions& options);
// Trains, names the codes of the best theory, and returns the run folder.
std::filesystem::path run_training(const TrainingOptions& options);

}  // namespace neo
