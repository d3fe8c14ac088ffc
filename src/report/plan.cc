#include "report/plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmark/split_files.h"
#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
constexpr const char* kAblations = "ablations";

bool wanted(const PlanRequest& request, const std::string& method) {
  return request.methods.empty() || std::ranges::find(request.methods, method) != request.methods.end();
}

void check_methods(const PlanRequest& request, const std::vector<Method>& methods) {
  std::vector<std::string> names{kAblations};
  for (const Method& method : methods) names.push_back(method.name);
  for (const std::string& name : request.methods) {
    if (std::ranges::find(names, name) == names.end())
      fail_usage("there is no method '{}'; choose from: {}", printable(name), fmt::join(names, ", "));
  }
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Episodes with every step of their explanations; those of the first seed are enough for a figure. Pictures
// are bulky.
std::vector<std::string> examples(const PlanRequest& request, const PlannedRun& run, const Space& space) {
  if (run.seed != request.seeds.front()) return {};
  return {"--examples", space.kind == Kind::pixels ? "1" : "2"};
}

std::string method_part(const std::string& method) { return method == "neo" ? "" : "-" + method; }

std::string name_of(const PlannedRun& run, const std::string& method) {
  const std::string ablation = run.ablation.empty() ? "" : "-" + run.ablation;
  return fmt::format("{}-{}{}-alpha{:.2f}-seed{}{}", run.benchmark, run.preset, method_part(method),
                     run.alpha, run.seed, ablation);
}

// One seed is enough to see what the temperature of NEO-S does.
PlannedEvaluation temperature_sweep(const PlanRequest& request, const PlannedRun& run, const fs::path& data) {
  std::vector<std::string> arguments{"--search",    "sample", "--temperature",
                                     "0.1,0.3,1,3", "--data", data.string()};
  if (std::ranges::find(request.evaluation_arguments, "--episodes") == request.evaluation_arguments.end())
    arguments.insert(arguments.end(), {"--episodes", "1000"});
  return {run.name + "-temperatures", joined(arguments, request.evaluation_arguments), "neo", "temperatures"};
}

PlannedRun benchmark_run(const PlanRequest& request, const std::vector<Method>& methods,
                         const Benchmark& benchmark, const std::string& trained_as, double alpha,
                         uint64_t seed) {
  PlannedRun run{.benchmark = std::string(benchmark.name()),
                 .preset = request.preset,
                 .method = trained_as,
                 .alpha = alpha,
                 .seed = seed};
  run.name = name_of(run, trained_as);
  run.settings = request.settings;
  for (const Method& method : methods) {
    if (method.trained_as != trained_as || !wanted(request, method.name)) continue;
    std::vector<std::string> arguments{"--method", method.name, "--soft"};
    if (method.name == "neo" && benchmark.space().is_categorical())
      arguments.insert(arguments.end(), {"--search", "all"});
    arguments =
        joined(joined(arguments, examples(request, run, benchmark.space())), request.evaluation_arguments);
    run.evaluations.push_back({name_of(run, method.name), arguments, method.name, ""});
  }
  const auto swept = benchmark.temperature_sweep_split();
  if (swept && trained_as == "neo" && seed == request.seeds.front())
    run.evaluations.push_back(temperature_sweep(request, run, split_path(benchmark, alpha, *swept)));
  return run;
}

PlannedRun ablation_run(const PlanRequest& request, const Benchmark& benchmark, const Ablation& ablation,
                        uint64_t seed) {
  PlannedRun run{.benchmark = std::string(benchmark.name()),
                 .preset = ablation.preset,
                 .method = "neo",
                 .ablation = ablation.name,
                 .alpha = ablation.alpha,
                 .seed = seed};
  run.name = name_of(run, "neo");
  run.settings = joined(ablation.settings, request.settings);
  run.evaluations.push_back(
      {run.name, joined({"--search", "greedy", "--soft"}, request.evaluation_arguments), "neo", ""});
  return run;
}

}  // namespace

std::vector<std::string> PlannedRun::train_arguments() const {
  std::vector<std::string> arguments{
      benchmark, "--preset",          preset, "--method", method, "--alpha", fmt::format("{:.2f}", alpha),
      "--seed",  std::to_string(seed)};
  for (const std::string& setting : settings) {
    arguments.push_back("--set");
    arguments.push_back(setting);
  }
  return arguments;
}

std::vector<uint64_t> planned_seeds(const std::string& preset) {
  if (preset == "paper") return {42, 43, 44};
  return {101, 102, 103, 104, 105};
}

std::vector<std::string> planned_presets(const Benchmark& benchmark) {
  if (benchmark.published().at("figures").empty()) return {"fast"};
  return {"fast", "paper"};
}

bool is_development(const std::string& benchmark, const std::string& preset, uint64_t seed) {
  const auto planned = planned_seeds(preset);
  return find_benchmark(benchmark) && std::ranges::find(planned, seed) == planned.end();
}

std::vector<std::string> benchmarks_for(const std::string& name) {
  if (name == "all") return benchmark_names();
  return {std::string(benchmark_named(name).name())};
}

std::vector<PlannedRun> plan_runs(PlanRequest request, const std::vector<Method>& methods) {
  check_methods(request, methods);
  if (request.seeds.empty()) request.seeds = planned_seeds(request.preset);
  std::vector<std::string> trained;  // NEO first, then the baselines
  for (const Method& method : methods) {
    if (wanted(request, method.name) && std::ranges::find(trained, method.trained_as) == trained.end())
      trained.insert(method.trained_as == "neo" ? trained.begin() : trained.end(), method.trained_as);
  }
  std::vector<PlannedRun> runs;
  for (const std::string& name : request.benchmarks) {
    const Benchmark& benchmark = benchmark_named(name);
    for (uint64_t seed : request.seeds) {
      for (const std::string& method : trained) {
        for (double alpha : request.alphas)
          runs.push_back(benchmark_run(request, methods, benchmark, method, alpha, seed));
      }
      if (!wanted(request, kAblations)) continue;
      for (const Ablation& ablation : benchmark.ablations()) {
        const bool in_matrix = ablation.preset == request.preset && ablation.settings.empty();
        if (ablation.preset.starts_with(request.preset) && !in_matrix)
          runs.push_back(ablation_run(request, benchmark, ablation, seed));
      }
    }
  }
  return runs;
}

void make_data_for(const std::vector<PlannedRun>& plan) {
  for (const PlannedRun& run : plan) {
    const Benchmark& benchmark = benchmark_named(run.benchmark);
    if (!benchmark.samples_in_memory()) ensure_split(benchmark, run.alpha, "train");
    for (const std::string& split : benchmark.splits(run.alpha)) ensure_split(benchmark, run.alpha, split);
  }
}

}  // namespace neo
