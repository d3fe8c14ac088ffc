#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eval/search_curves.h"
#include "neo/options.h"

namespace neo {

// One pass over the episodes of a split, which advances the progress by every one of them.
using EvaluationPass = std::function<std::vector<SplitScore>(Progress&)>;

// Every requested strategy except greedy induction, one score for each number of calls. What is passed must outlive them.
std::vector<EvaluationPass> search_passes(NeoImpl& model, const Episodes& episodes, const Policy& policy,
                                          const StrategyRequest& request);

}  // namespace neo
