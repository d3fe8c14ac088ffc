#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "eval/inspection.h"

namespace neo {

// A program and what it does to x, step by step. A plain value; search, the command line, reports and the explorer
// exchange it.
struct ProgramRun {
  std::vector<int64_t> codes;
  std::vector<Observation> trace;  // x first, then the result of each code: codes.size() + 1
  std::vector<double> losses;      // l(y, y^_k) after each step; empty where no y is known
  bool exact = false;              // the last observation is y
  bool explained = false;          // y is explained, exactly or to within the theory's tolerance
  double log_probability = 0;      // of the codes under the programmer; 0 where it did not propose them
};
nlohmann::json to_json(const ProgramRun& run, const WriteObservation& write);

// How the length of a program was chosen: one entry per length that was tried.
struct LengthChoice {
  int64_t length = 0;
  double loss = 0;     // l(y, y^_k)
  double weighted = 0;  // lambda^k loss (Eq. 5)
  bool exact = false;
  bool explained = false;  // to within the policy's tolerance
};
nlohmann::json to_json(const LengthChoice& choice);

// A pair's program, the choice of its length, and alternatives.
struct Explanation {
  ProgramRun run;
  double mass = 1;  // posterior of the chosen program, see Alternative
  std::vector<LengthChoice> lengths;
  std::string reason;  // why this length, in a sentence
  struct Alternative {
    ProgramRun run;
    double mass = 0;  // posterior under the programmer, over all candidates that were looked at
  };
  std::vector<Alternative> alternatives;  // exact ones first, then likeliest first; without the chosen one
};
nlohmann::json to_json(const Explanation& explanation, const WriteObservation& write);

}  // namespace neo
