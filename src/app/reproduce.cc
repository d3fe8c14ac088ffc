#include <fmt/format.h>

#include "app/execute.h"
#include "benchmark/methods.h"
#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/error.h"
#include "core/run_folder.h"
#include "neo/training.h"
#include "report/markdown.h"
#include "report/reproduction.h"
#include "train/presets.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

std::string digest_of_training_data(const PlannedRun& run, const TrainConfig& config) {
  const fs::path file = split_path(benchmark_named(run.benchmark), run.alpha, "train");
  if (config.sampled > 0 || !fs::exists(file)) return "";
  return PairReader(file).info().digest;
}

Expectation expectation_of(const PlannedRun& run) {
  const TrainConfig config =
      resolve_config(run.benchmark, preset_of_method(run.preset, run.method), run.alpha, {}, run.settings);
  return {to_toml(config), digest_of_training_data(run, config), config.steps, config.batch};
}

std::string settings_of(const fs::path& run) {
  TrainConfig config;
  load_toml(config, run_config_path(run));
  return to_toml(config);
}

void print_tables(const ReproduceCommand& options) {
  if (!fs::exists(options.run.results)) return;
  const auto tables = make_tables(collect_records({options.run.results}), methods());
  fmt::print("\n{}\nall of it: neo report {} --out report.html\n", brief_markdown(tables),
             options.run.results.string());
}

}  // namespace

void execute(const ReproduceCommand& command) {
  ReproduceCommand options = command;
  if (options.episodes > 0)
    options.plan.evaluation_arguments = {"--episodes", std::to_string(options.episodes)};
  if (options.draws > 0) {
    options.plan.evaluation_arguments.push_back("--draws");
    options.plan.evaluation_arguments.push_back(std::to_string(options.draws));
  }
  options.run.program = "/proc/self/exe";  // this very program, even if its file is replaced meanwhile
  const auto plan = plan_runs(options.plan, methods());
  if (!options.dry_run) make_data_for(plan);
  Reproduction reproduction(plan, options.run, expectation_of, settings_of);
  if (options.json) {
    fmt::print("{}\n", reproduction.to_json().dump(2));
  } else {
    fmt::print("{}", reproduction.table());
  }
  if (options.dry_run) return;
  std::fflush(stdout);
  const int failed = reproduction.run();
  print_tables(options);
  if (failed > 0)
    fail("{} of {} runs failed; their logs say why, the same command tries again", failed, plan.size());
}

}  // namespace neo
