#pragma once

#include <string>
#include <vector>

#include "train/config.h"

namespace neo {

// Presets are the TOML files of presets/, compiled into the binary: `<world>-<preset>.toml`, and on top of it
// `<world>-<preset>-alpha<A>.toml` where the paper's settings depend on alpha.
TrainConfig load_preset(const std::string& world, const std::string& preset, double alpha);
std::vector<std::string> preset_names(const std::string& world);

}  // namespace neo
