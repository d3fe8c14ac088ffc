#pragma once

#include <string>
#include <vector>

#include "core/config.h"

namespace neo {

// A UsageError for a `--set` that these settings do not have; found before anything is loaded.
template <Configurable Config>
void check_assignments(Config settings, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) set_assignment(settings, assignment);
}

}  // namespace neo
