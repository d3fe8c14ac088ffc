#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "train/config.h"

namespace neo {

void setup_reproduce(CLI::App& app, const Act& act) {
  auto options = std::make_shared<ReproduceCommand>();
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
  command->callback([options, act] {
    options->plan.benchmarks = benchmarks_for(options->benchmark);
    check_assignments(TrainConfig{}, options->plan.settings);
    act(*options);
  });
}

}  // namespace neo
