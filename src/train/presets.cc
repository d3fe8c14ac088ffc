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
  if (!embedded_presets().contains(name) || preset.find("alpha") != std::string::npos) {
    fail_usage("{} has no preset '{}'; its presets are: {}", world, preset,
               fmt::join(preset_names(world), ", "));
  }
  TrainConfig config;
  const auto lay_on_top = [&config](const std::string& layer) {
    const auto found = embedded_presets().find(layer);
    if (found != embedded_presets().end()) load_toml_text(config, found->second, "preset " + layer);
  };
  for (size_t end = world.size(); end != std::string::npos;) {
    end = name.find('-', end + 1);
    const std::string layer = name.substr(0, end);
    lay_on_top(layer);
    lay_on_top(fmt::format("{}-alpha{:.2f}", layer, alpha));
  }
  return config;
}

std::string preset_of_method(const std::string& preset, const std::string& method) {
  return method == "neo" ? preset : preset + "-" + method;
}

}  // namespace neo
