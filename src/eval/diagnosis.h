#pragma once

#include <map>

#include "benchmark/benchmark.h"
#include "eval/scores.h"

namespace neo {

// Which part of a theory fails. A code stands for the primitive it agrees with most often; episodes whose
// hidden program needs a primitive without a code count as failures of the perfect programmer.
struct Diagnosis {
  struct Bin {
    int64_t length = 0;  // of the operand: elements from the first that is not 0
    int64_t inputs = 0;
    double exact = 0;  // share that the primitive's code executes exactly
  };
  std::string name;
  std::map<std::string, std::vector<Bin>> executor;  // by primitive
  double transfer = 0;                               // greedy, unmodified
  double perfect_executor = 0;    // greedy programs, run by the true primitives their codes stand for
  double perfect_programmer = 0;  // the hidden program in codes, run by the theory's executor
};
nlohmann::json to_json(const Diagnosis& diagnosis);

Diagnosis diagnose(NeoImpl& model, const Episodes& episodes, const Policy& policy, const Benchmark& benchmark);

}  // namespace neo
