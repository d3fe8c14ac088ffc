#pragma once

#include <string>

#include "core/version.h"

namespace neo {

// The front tells the engine in this variable which source it was built from: one of another source reads other options.
inline constexpr const char* kFrontVariable = "NEO_FRONT";
inline std::string source_name() { return version() + " of revision " + git_revision(); }

}  // namespace neo
