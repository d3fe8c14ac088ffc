#pragma once

#include <cstdint>
#include <string>

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
  int64_t draws = 64;             // NEO-S: programs sampled per pair
  double temperature = 0.3;       // of the programmer's distribution, where programs are sampled
  int64_t refine_steps = 0;       // theories without codes: gradient steps on the vector
  double refine_rate = 1.0;
  static void visit(auto& c, auto&& field) {
    field("steps", c.steps, "K, longest program");
    field("lambda", c.lambda, "MDL coefficient: a program of k steps costs lambda^k loss");
    field("fallback", c.fallback, "length of a program that does not explain its pair: all steps, or mdl");
    field("tolerance", c.tolerance, "loss up to which y counts as explained; 0: only exactly");
    field("hard_grounding", c.hard_grounding, "continue from the re-encoded hard observation");
    field("search", c.search, "greedy (the programmer proposes) or beam (over all codes)");
    field("width", c.width, "width of the beam");
    field("draws", c.draws, "NEO-S sampling budget");
    field("temperature", c.temperature, "temperature of the programmer's distribution, for sampling");
    field("refine_steps", c.refine_steps, "theories without codes: gradient steps on each support pair");
    field("refine_rate", c.refine_rate, "size of such a step");
  }
};

// A UsageError names what is out of range.
void check_policy(const Policy& policy);

}  // namespace neo
