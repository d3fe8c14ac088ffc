#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
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

struct ReproduceOptions {
  std::string benchmark;
  PlanRequest plan;
  ReproductionOptions run;
  int64_t episodes = 0, draws = 0;
  bool dry_run = false, json = false;
};

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

void print_tables(const ReproduceOptions& options) {
  if (!fs::exists(options.run.results)) return;
  const auto tables = make_tables(collect_records({options.run.results}), methods());
  fmt::print("\n{}\nall of it: neo report {} --out report.html\n", brief_markdown(tables),
             options.run.results.string());
}

void run_reproduce(ReproduceOptions options) {
  options.plan.benchmarks = benchmarks_for(options.benchmark);
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

}  // namespace

void setup_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "Train and evaluate every method at every alpha with every seed; resumes where it was stopped");
  command->add_option("benchmark", options->benchmark, benchmark_list() + " or all")->required();
  command->add_option("--seeds", options->plan.seeds, "Random seeds")->check(is_seed())->delimiter(',')->capture_default_str();
  command->add_option("--alphas", options->plan.alphas, "Shares of the short programs that are trained on")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--preset", options->plan.preset, "fast or paper")->capture_default_str();
  command
      ->add_option("--methods", options->plan.methods,
                   "Only these: neo, disc-mono, cont-mono, cont-mono-opt, ablations (default: all)")
      ->delimiter(',');
  command->add_option("--jobs", options->run.jobs, "Runs at a time; with several, each has one thread")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--out", options->run.runs, "Folder of the runs")->capture_default_str();
  command->add_option("--results", options->run.results, "Folder of the records")->capture_default_str();
  command->add_option(
      "--weights", options->run.weights,
      "Copy NEO's theories here, for each alpha the seed that is best on ID: <benchmark>-alpha<A>.safetensors");
  command
      ->add_option("--set", options->plan.settings,
                   "Change a setting of every run, for trials: --set steps=20")
      ->take_all();
  command->add_option("--episodes", options->episodes,
                      "Most episodes per split, for trials (default: the preset's)");
  command->add_option("--draws", options->draws, "Draws of NEO-S, for trials (default: the preset's)");
  command->add_flag("--redo", options->run.redo, "Retrain runs whose settings or data changed");
  command->add_flag("--dry-run", options->dry_run, "Only show every run's state and how long it will take");
  command->add_flag("--json", options->json, "Show the plan as JSON");
  command->footer("Examples:\n  neo reproduce " + some_benchmark() +
                  " --jobs 2\n  neo reproduce all --dry-run\n  neo reproduce " + some_benchmark() +
                  " --methods neo --seeds 42\nFinished runs are kept, interrupted ones resumed: call it again at any "
                  "time.");
  command->callback([options] { run_reproduce(*options); });
}

}  // namespace neo
