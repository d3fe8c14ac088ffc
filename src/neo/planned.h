#pragma once

#include "report/cell_state.h"

namespace neo {

// What a planned run would be trained with now.
Expectation expectation_of(const PlannedRun& run);
// What a run folder was trained with, as TOML written by this version.
std::string settings_of_run(const std::filesystem::path& run);

}  // namespace neo
