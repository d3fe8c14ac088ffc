#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "eval/transfer.h"
#include "model/weights.h"
#include "train/config.h"
#include "worlds/generate.h"

namespace neo {

// The benchmark's evaluation splits: id, comp (for alpha < 1) or id-clean (GridWorld at 1), length.
std::vector<std::string> benchmark_splits(const std::string& world, double alpha);

// The file of a benchmark split in its default folder (see make_data.h), whether it is there or not.
std::filesystem::path split_path(const std::string& world, double alpha, const std::string& split);
// The same, made first when it is missing.
std::filesystem::path ensure_split(const std::string& world, double alpha, const std::string& split);

// Preset, then --config file, then --set assignments.
TrainConfig resolve_config(const std::string& world, const std::string& preset, double alpha,
                           const std::filesystem::path& file, const std::vector<std::string>& assignments);

// weights/<world>-<kind>-observation.safetensors, looked up from the current folder, then beside the binary.
std::filesystem::path observation_weights_path(const TrainConfig& config);

// The theories that come with neo, weights/<world>-alpha<A>.safetensors, looked up in the same way.
std::vector<std::filesystem::path> shipped_theories();

// K for these episodes: as set, or more where a file of one's own has longer programs. What explains by one
// step, a baseline, keeps to it.
int64_t steps_for(const EpisodeSet& episodes, const EvaluationConfig& config);
// How a theory is judged on these episodes when the programmer alone explains them. Length is chosen with the
// lambda that training ends with; for longer programs in Imaging with 1, as the benchmark has it.
TransferOptions judging_of(const EpisodeSet& episodes, const TrainConfig& config);

// The best theory of a run folder, or a weights file, with the settings it was trained by.
struct OpenedTheory {
  LoadedTheory loaded;
  TrainConfig config;
};
OpenedTheory open_theory(const std::filesystem::path& path);

}  // namespace neo
