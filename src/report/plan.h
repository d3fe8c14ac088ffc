#pragma once

#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark/methods.h"

namespace neo {

// What to reproduce: every method at every alpha with every seed, and the ablations.
struct PlanRequest {
  std::vector<std::string> benchmarks;  // names; see benchmarks_for()
  std::vector<uint64_t> seeds{42, 43, 44};
  std::vector<double> alphas{0.33, 0.66, 1.00};
  std::string preset = "fast";
  std::vector<std::string> methods;               // names, and "ablations"; empty: everything
  std::vector<std::string> settings;              // "key=value", for every run
  std::vector<std::string> evaluation_arguments;  // for every evaluation
};
std::vector<std::string> benchmarks_for(const std::string& name);  // "all": every one; else that one

// A record to make from a run: `neo eval <run> <arguments>`, then results/<benchmark>/<name>.json.
struct PlannedEvaluation {
  std::string name;
  std::vector<std::string> arguments;
  std::string method, purpose;  // see Record
};

// A run to train: `neo train <train_arguments> --out <folder>/<name>`.
struct PlannedRun {
  std::string name, benchmark, preset, method, ablation;
  double alpha = 0;
  uint64_t seed = 0;
  std::vector<std::string> settings;  // of the ablation and the request
  std::vector<PlannedEvaluation> evaluations;
  std::vector<std::string> train_arguments() const;
};

// The whole matrix, benchmark by benchmark, and there seed by seed, so that a first set of results is available
// early. A UsageError names a method or benchmark that does not exist.
std::vector<PlannedRun> plan_runs(const PlanRequest& request, const std::vector<Method>& methods);

// Makes all files that the runs read: two of them must not make the same file at once.
void make_data_for(const std::vector<PlannedRun>& plan);

}  // namespace neo
