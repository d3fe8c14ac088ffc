#pragma once

#include <string>
#include <vector>

#include "eval/search_curves.h"
#include "neo/options.h"

namespace neo {

// Every requested strategy except greedy induction, one score for each number of calls.
std::vector<SplitScore> evaluate_searches(NeoImpl& model, const Episodes& episodes, const Policy& policy,
                                          const StrategyRequest& request);

}  // namespace neo
