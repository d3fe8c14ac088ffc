#pragma once

#include <map>

#include "explain/theory.h"
#include "model/hard_executor.h"

namespace neo {

struct ExplainOptions {
  int64_t steps = 4;           // K, longest program
  bool hard_grounding = true;  // continue from the re-encoded hard observation
  bool beam = false;           // search by a beam over all codes instead of asking the programmer
  int64_t width = 24;          // of the beam
  double lambda = 1.0;         // MDL coefficient
  double epsilon = -1;         // >= 0: stop at the first step whose loss is at most this (inference section)
  int64_t alternatives = 5;    // how many other programs to report
  int64_t draws = 64;          // programs drawn to find them
  double temperature = 0.3;    // of the programmer's distribution, for drawing and for the posterior
  uint64_t seed = 42;
  HardExecutor* executor = nullptr;  // for hard grounding; one that outlives the call need not start afresh
};

// The program for x -> y that the programmer (or the beam) finds, why it has its length, and what else was
// possible.
Explanation explain(NeoImpl& model, const Observation& x, const Observation& y,
                    const ExplainOptions& options);

// Runs `codes` on x; losses are filled in where y is given.
Theory run_program(NeoImpl& model, const Observation& x, const std::vector<int64_t>& codes,
                   bool hard_grounding, const Observation* y = nullptr, HardExecutor* executor = nullptr);

// The counterfactual: step -> code (steps count from 1) replaces codes of a program, the rest stays.
// An Error names a step or code that does not exist.
std::vector<int64_t> override_steps(std::vector<int64_t> codes, const std::map<int64_t, int64_t>& overrides,
                                    int64_t vocabulary);

}  // namespace neo
