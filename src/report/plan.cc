#include "report/plan.h"

#include <algorithm>

#include "core/error.h"

namespace neo {
namespace {
constexpr const char* kAblations = "ablations";

bool wanted(const PlanRequest& request, const std::string& method) {
  return request.methods.empty() || std::ranges::find(request.methods, method) != request.methods.end();
}

void check_methods(const PlanRequest& request, const std::vector<Method>& methods) {
  std::vector<std::string> names{kAblations};
  for (const Method& method : methods) names.push_back(method.name);
  for (const std::string& name : request.methods) {
    if (std::ranges::find(names, name) == names.end())
      fail_usage("there is no method '{}'; choose from: {}", name, fmt::join(names, ", "));
  }
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Episodes with every step of their explanations; those of the first seed are enough for a figure.
std::vector<std::string> examples(const PlanRequest& request, const PlannedRun& run) {
  if (run.seed != request.seeds.front()) return {};
  return {"--examples", run.world == "imaging" ? "1" : "2"};
}

std::string method_part(const std::string& method) { return method == "neo" ? "" : "-" + method; }

std::string name_of(const PlannedRun& run, const std::string& method) {
  const std::string ablation = run.ablation.empty() ? "" : "-" + run.ablation;
  return fmt::format("{}-{}{}-alpha{:.2f}-seed{}{}", run.world, run.preset, method_part(method), run.alpha,
                     run.seed, ablation);
}

PlannedRun benchmark_run(const PlanRequest& request, const std::vector<Method>& methods,
                         const std::string& world, const std::string& trained_as, double alpha,
                         uint64_t seed) {
  PlannedRun run{
      .world = world, .preset = request.preset, .method = trained_as, .alpha = alpha, .seed = seed};
  run.name = name_of(run, trained_as);
  run.settings = request.settings;
  for (const Method& method : methods) {
    if (method.trained_as != trained_as || !wanted(request, method.name)) continue;
    std::vector<std::string> arguments{"--method", method.name, "--soft"};
    if (method.name == "neo" && world != "imaging") arguments.insert(arguments.end(), {"--search", "all"});
    arguments = joined(joined(arguments, examples(request, run)), request.evaluation_arguments);
    run.evaluations.push_back({name_of(run, method.name), arguments, method.name, ""});
  }
  // One seed is enough to see what the temperature of NEO-S does.
  if (world == "arithmetic" && trained_as == "neo" && seed == request.seeds.front()) {
    std::vector<std::string> arguments{"--search",    "sample", "--temperature",
                                       "0.1,0.3,1,3", "--data", "data/arithmetic-length/length.h5"};
    if (std::ranges::find(request.evaluation_arguments, "--episodes") == request.evaluation_arguments.end())
      arguments.insert(arguments.end(), {"--episodes", "1000"});
    run.evaluations.push_back(
        {run.name + "-temperatures", joined(arguments, request.evaluation_arguments), "neo", "temperatures"});
  }
  return run;
}

PlannedRun ablation_run(const PlanRequest& request, const std::string& world, const Ablation& ablation,
                        uint64_t seed) {
  PlannedRun run{.world = world,
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
      world,    "--preset",          preset, "--method", method, "--alpha", fmt::format("{:.2f}", alpha),
      "--seed", std::to_string(seed)};
  for (const std::string& setting : settings) {
    arguments.push_back("--set");
    arguments.push_back(setting);
  }
  return arguments;
}

std::vector<PlannedRun> plan_runs(const PlanRequest& request, const std::vector<Method>& methods,
                                  const std::vector<Ablation>& (*ablations_of)(const std::string&)) {
  check_methods(request, methods);
  std::vector<std::string> trained;  // NEO first, then the baselines
  for (const Method& method : methods) {
    if (wanted(request, method.name) && std::ranges::find(trained, method.trained_as) == trained.end())
      trained.insert(method.trained_as == "neo" ? trained.begin() : trained.end(), method.trained_as);
  }
  std::vector<PlannedRun> runs;
  for (const std::string& world : request.worlds) {
    for (uint64_t seed : request.seeds) {
      for (const std::string& method : trained) {
        for (double alpha : request.alphas)
          runs.push_back(benchmark_run(request, methods, world, method, alpha, seed));
      }
      if (!wanted(request, kAblations)) continue;
      for (const Ablation& ablation : ablations_of(world))
        runs.push_back(ablation_run(request, world, ablation, seed));
    }
  }
  return runs;
}

}  // namespace neo
