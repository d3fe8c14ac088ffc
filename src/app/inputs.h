#pragma once

#include <string>
#include <vector>

#include "app/engine_commands.h"
#include "neo/given_pairs.h"
#include "view/panels.h"

namespace neo {

// An observation as the user wrote it; conversions are reported on standard error.
Observation given_observation(const View& view, const std::string& text);

void write_pictures(const PictureFiles& files, const View& view, const std::vector<PanelRow>& rows, bool quiet);

}  // namespace neo
