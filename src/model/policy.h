#pragma once

#include <cstdint>
#include <string>

#include "core/allowed.h"

namespace neo {

// How a theory explains a pair. Stored in the theory's file and followed by evaluation, explain, inspect, the
// explorer and the library, so that they give the same answers.
struct Policy {
  int64_t steps = 4;              // K, longest program
  double lambda = 1.0;            // MDL coefficient (Eq. 5)
  std::string fallback = "all";   // length of a program that does not explain its pair: all, or mdl
  double tolerance = 0.0;         // loss up to which y counts as explained; 0: exactly
  bool hard_grounding = true;     // continue from the re-encoded hard observation
  std::string search = "greedy";  // greedy (the programmer proposes) or beam (over all codes)
  int64_t width = 24;             // of the beam
  int64_t draws = 64;             // programs sampled per pair: by NEO-S, and to find alternatives
  double temperature = 0.3;       // of the programmer's distribution, where programs are sampled
  bool refine = false;            // theories without codes: improve the vector on its pair (Cont-Mono-Opt)
  int64_t refine_steps = 5;       // gradient steps, where it is refined
  double refine_rate = 1.0;
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "K, longest program", between(1, 1000));
    field("lambda", c.lambda, "MDL coefficient: a program of k steps costs lambda^k loss",
          between(0.01, 100));
    field("fallback", c.fallback, "length of a program that does not explain its pair: all steps, or mdl",
          one_of({"all", "mdl"}));
    field("tolerance", c.tolerance, "loss up to which y counts as explained; 0: only exactly",
          between(0, 1e9));
    field("hard_grounding", c.hard_grounding, "continue from the re-encoded hard observation");
    field("search", c.search, "greedy (the programmer proposes) or beam (over all codes)",
          one_of({"greedy", "beam"}));
    field("width", c.width, "width of the beam", between(1, 1 << 16));
    field("draws", c.draws, "programs sampled per pair, by NEO-S and to find alternatives",
          between(1, 1 << 16));
    field("temperature", c.temperature, "temperature of the programmer's distribution, for sampling",
          between(1e-6, 1e6));
    field("refine", c.refine, "theories without codes: improve the vector by gradient steps on its pair");
    field("refine_steps", c.refine_steps, "number of such steps", between(0, 10000));
    field("refine_rate", c.refine_rate, "size of such a step", between(0, 1000));
  }
};

// A UsageError names what is out of range.
void check_policy(const Policy& policy);

}  // namespace neo
