#include "app/common.h"

#include <unistd.h>

#include "core/config.h"
#include "core/error.h"
#include "core/progress.h"
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

fs::path split_path(const std::string& world, double alpha, const std::string& split) {
  const std::string profile = profile_of(split);
  const std::string folder =
      profile == "otib" ? fmt::format("{}-alpha{:.2f}", world, alpha) : world + "-" + profile;
  return fs::path("data") / folder / (split + ".h5");
}

fs::path ensure_split(const std::string& world, double alpha, const std::string& split) {
  const fs::path path = split_path(world, alpha, split);
  if (fs::exists(path)) return path;
  std::unique_ptr<EpisodeWriter> writer;
  const auto finish = [&] {
    if (writer) writer->finish();
  };
  DataRequest request{.world = world, .alpha = alpha, .profile = profile_of(split)};
  request.cifar = "data/cifar10";
  Progress bar("making " + path.parent_path().string(), 0);
  generate(request, [&](const std::string& name, int64_t, const std::vector<Program>&) -> EpisodeSink {
    finish();
    writer =
        std::make_unique<EpisodeWriter>(path.parent_path() / (name + ".h5"), world_named(world), name, alpha);
    return [&writer, &bar](const Episode& episode) {
      writer->add(episode);
      bar.advance(1);
    };
  });
  finish();
  bar.finish();
  if (!fs::exists(path)) fail("{} at alpha {} has no split '{}'", world, alpha, split);
  return path;
}

TrainConfig resolve_config(const std::string& world, const std::string& preset, double alpha,
                           const fs::path& file, const std::vector<std::string>& assignments) {
  TrainConfig config = load_preset(world, preset, alpha);
  if (!file.empty()) load_toml(config, file);
  for (const std::string& assignment : assignments) set_assignment(config, assignment);
  return config;
}

fs::path observation_weights_path(const TrainConfig& config) {
  return project_root() / "weights" /
         fmt::format("{}-{}-observation.safetensors", config.world, config.model.observation.kind);
}

OpenedTheory open_theory(const fs::path& path) {
  OpenedTheory theory{load_theory(fs::is_directory(path) ? path / "best.safetensors" : path), {}};
  load_toml_text(theory.config, theory.loaded.info.settings, path.string());
  return theory;
}

}  // namespace neo
