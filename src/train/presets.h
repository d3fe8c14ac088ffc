#pragma once

#include <string>
#include <vector>

#include "train/config.h"

namespace neo {

// Presets are the TOML files of presets/, compiled into the binary. A family is a benchmark's name or a layout's;
// presets lie on top of each other, by name: `fast-disc-mono` of a family is `<family>-fast.toml`, then
// `<family>-fast-disc-mono.toml`, each followed by its `...-alpha<A>.toml` where settings depend on alpha.
TrainConfig load_preset(const std::string& family, const std::string& preset, double alpha = 1.0);
std::vector<std::string> preset_names(const std::string& family);
// The preset that trains a method: `preset` itself for neo, else `<preset>-<method>`.
std::string preset_of_method(const std::string& preset, const std::string& method);

}  // namespace neo
