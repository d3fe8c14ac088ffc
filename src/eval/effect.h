#pragma once

#include <string>
#include <utility>
#include <vector>

#include "worlds/world.h"

namespace neo {

using Change = std::pair<Observation, Observation>;  // before, after

// A few words for what turns `before` into `after`, without knowledge of any primitive: "up 1", "flip
// left-right", "colour 3 to 5", "times 3 plus 1". Empty where nothing simple does on at least `share` of the
// changes, and for images.
std::string describe_effect(const World& world, const std::vector<Change>& changes, double share);

}  // namespace neo
