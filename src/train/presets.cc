#include "train/presets.h"

#include <map>

#include "core/config.h"
#include "core/error.h"
#include "worlds/world.h"

namespace neo {

// Generated from presets/*.toml by src/CMakeLists.txt: file name without ending -> text.
const std::map<std::string, std::string>& embedded_presets();

std::vector<std::string> preset_names(const std::string& world) {
  std::vector<std::string> names;
  for (const auto& [file, text] : embedded_presets()) {
    if (file.starts_with(world + "-") && file.find("-alpha") == std::string::npos)
      names.push_back(file.substr(world.size() + 1));
  }
  return names;
}

TrainConfig load_preset(const std::string& world, const std::string& preset, double alpha) {
  world_named(world);
  const std::string name = world + "-" + preset;
  const auto base = embedded_presets().find(name);
  if (base == embedded_presets().end() || preset.find("alpha") != std::string::npos) {
    fail_usage("{} has no preset '{}'; its presets are: {}", world, preset,
               fmt::join(preset_names(world), ", "));
  }
  TrainConfig config;
  load_toml_text(config, base->second, "preset " + name);
  const std::string overlay = fmt::format("{}-alpha{:.2f}", name, alpha);
  if (const auto found = embedded_presets().find(overlay); found != embedded_presets().end()) {
    load_toml_text(config, found->second, "preset " + overlay);
  }
  return config;
}

}  // namespace neo
