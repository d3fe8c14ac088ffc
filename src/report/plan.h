#pragma once

#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark/methods.h"

namespace neo {

// What to reproduce: every method at every alpha with every seed, and the ablations.
struct PlanRequest {
  std::vector<std::string> benchmarks;  // names; see benchmarks_for()
  std::vector<uint64_t> seeds;          // empty: the planned ones of the preset
  std::vector<double> alphas{0.33, 0.66, 1.00};
  std::string preset = "fast";
  std::vector<std::string> methods;               // names, and "ablations"; empty: everything
  std::vector<std::string> settings;              // "key=value", for every run
  std::vector<std::string> evaluation_arguments;  // for every evaluation
};
// The seeds that results are reported of, each run once. Recipes are made on other seeds (development), so
// that no choice was made while looking at these. The preset `paper` has the paper's settings and its seeds.
std::vector<uint64_t> planned_seeds(const std::string& preset);
std::vector<std::string> planned_presets(const Benchmark& benchmark);  // paper: where figures are published
// Whether a benchmark's run of this seed is not among the reported ones. Own data have no plan.
bool is_development(const std::string& benchmark, const std::string& preset, uint64_t seed);
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

// The whole matrix, benchmark by benchmark, and there seed by seed, so that a first set of results is
// available early. A UsageError names a method or benchmark that does not exist.
std::vector<PlannedRun> plan_runs(PlanRequest request, const std::vector<Method>& methods);

// Makes all files that the runs read: two of them must not make the same file at once.
void make_data_for(const std::vector<PlannedRun>& plan);

}  // namespace neo
