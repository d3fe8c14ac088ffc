#pragma once

#include <string>
#include <vector>

#include "explain/program_run.h"
#include "rollout/length.h"

namespace neo {

// Why the length rule chose `length` among those tried, in one sentence. `matches`: whether an observation
// can be matched exactly.
std::string length_reason(const std::vector<LengthChoice>& lengths, int64_t length, const LengthRule& rule,
                          bool matches);

// Why a program that was drawn is shown instead of the one that the theory's search ends with.
std::string drawn_reason(const ProgramRun& found, const ProgramRun& drawn, int64_t draws);

}  // namespace neo
