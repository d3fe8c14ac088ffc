#include "app/common.h"

#include <unistd.h>

#include <algorithm>

#include "app/make_data.h"
#include "core/config.h"
#include "core/error.h"
#include "train/presets.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

std::string profile_of(const std::string& split) {
  if (split == "length") return "length";
  if (split == "pretrain" || split == "pretrain-test") return "pretraining";
  return "otib";
}

// The folder that holds weights/ and presets/: the current one, or the source tree that the binary was built
// in.
fs::path project_root() {
  if (fs::exists("weights")) return ".";
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  if (!error && fs::exists(binary.parent_path().parent_path() / "weights"))
    return binary.parent_path().parent_path();
  return ".";
}

}  // namespace

std::vector<std::string> benchmark_splits(const std::string& world, double alpha) {
  if (alpha < 1.0) return {"id", "comp", "length"};
  if (world == "gridworld") return {"id", "id-clean", "length"};
  return {"id", "length"};
}

fs::path split_path(const std::string& world, double alpha, const std::string& split) {
  return data_folder({.world = world, .alpha = alpha, .profile = profile_of(split)}) / (split + ".h5");
}

fs::path ensure_split(const std::string& world, double alpha, const std::string& split) {
  DataRequest request{.world = world, .alpha = alpha, .profile = profile_of(split)};
  request.cifar = "data/cifar10";
  // The benchmark's image splits are gigabytes; the same sampling with fewer episodes per program will do.
  if (world == "imaging" && request.profile != "pretraining") request.episodes = split == "length" ? 20 : 250;
  const fs::path folder = data_folder(request);
  const fs::path path = folder / (split + ".h5");
  if (fs::exists(path)) return path;
  make_data(request, folder, [](const fs::path&, const EpisodeFileInfo&) {});
  if (!fs::exists(path)) fail("{} at alpha {} has no split '{}'", world, alpha, split);
  return path;
}

TrainConfig resolve_config(const std::string& world, const std::string& preset, double alpha,
                           const fs::path& file, const std::vector<std::string>& assignments) {
  TrainConfig config = load_preset(world, preset, alpha);
  if (!file.empty()) load_toml(config, file);
  for (const std::string& assignment : assignments) set_assignment(config, assignment);
  check_settings(config);
  return config;
}

fs::path observation_weights_path(const TrainConfig& config) {
  return project_root() / "weights" /
         fmt::format("{}-{}-observation.safetensors", config.world, config.model.observation.kind);
}

std::vector<fs::path> shipped_theories() {
  std::vector<fs::path> paths;
  const fs::path folder = project_root() / "weights";
  if (!fs::is_directory(folder)) return paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".safetensors") && !name.ends_with("-observation.safetensors"))
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

int64_t steps_for(const EpisodeSet& episodes, const EvaluationConfig& config) {
  if (config.length_steps <= config.steps) return config.steps;
  const bool longer = episodes.name == "length" || episodes.longest_program > config.steps;
  return longer ? std::max(config.length_steps, episodes.longest_program) : config.steps;
}

TransferOptions judging_of(const EpisodeSet& episodes, const TrainConfig& config) {
  const EvaluationConfig& e = config.evaluation;
  const int64_t steps = steps_for(episodes, e);
  const bool any_length = config.world == "imaging" && steps > e.steps;
  return {steps, e.hard_grounding, fallback_named(e.fallback),
          any_length ? 1.0 : config.objective.lambda_end};
}

OpenedTheory open_theory(const fs::path& path) {
  OpenedTheory theory{load_theory(fs::is_directory(path) ? path / "best.safetensors" : path), {}};
  load_toml_text(theory.config, theory.loaded.info.settings, path.string());
  return theory;
}

}  // namespace neo
