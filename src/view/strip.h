#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/panels.h"

namespace neo {

// A program at work: its input, the result of each step, and the target.
struct Strip {
  std::string title;                    // above it
  std::vector<Observation> states;      // x first, ŷ last
  std::vector<std::string> codes;       // names of the steps, one fewer than states
  std::optional<Observation> target;    // y, where it is known
  std::vector<std::string> notes = {};  // below the result of each step; none, or one per code
  std::vector<size_t> marked = {};      // steps, from 1, whose names stand out
};

// Each state under the name of the code that made it, y a little apart.
PanelRow panels_of(const Strip& strip);

}  // namespace neo
