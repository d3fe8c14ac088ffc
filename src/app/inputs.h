#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/engine_commands.h"
#include "neo/given_pairs.h"
#include "view/panels.h"

namespace neo {

// What a user asks about: their own observations, or pairs of a file.

struct InputPair {
  std::string name;
  Observation x;
  std::optional<Observation> y;
};

// An observation as the user wrote it; conversions are reported on standard error.
Observation given_observation(const View& view, const std::string& text);

void write_pictures(const PictureFiles& files, const View& view, const std::vector<PanelRow>& rows, bool quiet);

}  // namespace neo
