#include "train/presets.h"

#include <algorithm>

#include "core/config.h"
#include "core/embedded.h"
#include "core/error.h"
#include "core/suggestion.h"

namespace neo {
namespace {

constexpr std::string_view kEnding = ".toml";

bool is_preset(const std::string& name) {
  return std::ranges::count(embedded_names(), name + std::string(kEnding)) > 0;
}

}  // namespace

std::vector<std::string> preset_names(const std::string& family) {
  std::vector<std::string> names;
  for (const std::string& file : embedded_names()) {
    if (file.starts_with(family + "-") && file.ends_with(kEnding) && file.find("-alpha") == std::string::npos)
      names.push_back(file.substr(family.size() + 1, file.size() - family.size() - 1 - kEnding.size()));
  }
  return names;
}

TrainConfig load_preset(const std::string& family, const std::string& preset, double alpha) {
  const std::string name = family + "-" + preset;
  if (!is_preset(name) || preset.find("alpha") != std::string::npos) {
    const auto known = preset_names(family);
    fail_usage("{} has no preset '{}'; its presets are: {}{}", family, preset, fmt::join(known, ", "),
               did_you_mean(preset, known));
  }
  TrainConfig config;
  const auto lay_on_top = [&config](const std::string& layer) {
    if (is_preset(layer))
      load_toml_text(config, embedded_file(layer + std::string(kEnding)), "preset " + layer);
  };
  for (size_t end = family.size(); end != std::string::npos;) {
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
