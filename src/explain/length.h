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

}  // namespace neo
