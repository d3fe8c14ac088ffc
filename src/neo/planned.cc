#include "neo/planned.h"

#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/run_folder.h"
#include "neo/training.h"
#include "train/presets.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

std::string digest_of_training_data(const PlannedRun& run, const TrainConfig& config) {
  const fs::path file = split_path(benchmark_named(run.benchmark), run.alpha, "train");
  if (config.sampled > 0 || !fs::exists(file)) return "";
  return PairReader(file).info().digest;
}

}  // namespace

Expectation expectation_of(const PlannedRun& run) {
  const TrainConfig config =
      resolve_config(run.benchmark, preset_of_method(run.preset, run.method), run.alpha, {}, run.settings);
  return {to_toml(config), digest_of_training_data(run, config), config.steps, config.batch};
}

std::string settings_of_run(const fs::path& run) {
  TrainConfig config;
  load_toml(config, run_config_path(run));
  return to_toml(config);
}

}  // namespace neo
