#pragma once

#include <map>
#include <optional>

#include "explain/options.h"
#include "explain/program_run.h"
#include "search/explanations.h"

namespace neo {

// The program for x -> y that the theory finds by its policy, why it has its length, and alternatives.
Explanation explain(NeoImpl& model, const Observation& x, const Observation& y, const Policy& policy,
                    const ExplainOptions& options = {});

// Runs `codes` on x; losses are filled in where y is given.
ProgramRun run_program(NeoImpl& model, const Observation& x, const std::vector<int64_t>& codes, const Policy& policy,
                       const Observation* y = nullptr, HardExecutor* executor = nullptr);

// The counterfactual: step -> code (steps count from 1) replaces codes of a program, the rest stays.
// An Error names a step or code that does not exist.
std::vector<int64_t> override_steps(std::vector<int64_t> codes, const std::map<int64_t, int64_t>& overrides,
                                    int64_t vocabulary);

}  // namespace neo
