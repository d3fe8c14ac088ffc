#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "core/error.h"
#include "train/config.h"

namespace neo {
namespace {

// What a trial changes. It must not lie among the results, nor keep their runs from being trained.
void keep_trials_apart(const ReproduceCommand& options) {
  const bool trial = !options.plan.settings.empty() || options.episodes > 0 || options.draws > 0;
  const auto is_same = [](const std::filesystem::path& a, const std::filesystem::path& b) {
    const auto plain = [](const std::filesystem::path& path) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(path / "."));
    };
    return plain(a) == plain(b);
  };
  const ReproductionOptions usual;
  if (trial && (is_same(options.run.results, usual.results) || is_same(options.run.runs, usual.runs)))
    fail_usage(
        "--set, --episodes and --draws make a trial, and results/ holds none; add --out trial --results trial/results");
}

}  // namespace

void setup_reproduce(CLI::App& app, const Act& act) {
  auto options = std::make_shared<ReproduceCommand>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "Train and evaluate every method at every alpha with every seed; resumes where it was stopped");
  command->add_option("benchmark", options->benchmark, benchmark_list() + " or all")->required();
  command
      ->add_option("--seeds", options->plan.seeds,
                   "Random seeds (default: the reported ones)")
      ->check(is_seed())
      ->delimiter(',');
  command->add_option("--alphas", options->plan.alphas, "Shares of the short programs that are trained on")
      ->delimiter(',')
      ->check(within(between(0, 1)))
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
                      "Most episodes per split, for trials (default: the preset's)")
      ->check(allowed<TrainConfig>("evaluated"));
  command->add_option("--draws", options->draws, "Draws of NEO-S, for trials (default: the preset's)")
      ->check(allowed<Policy>("draws"));
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
    keep_trials_apart(*options);
    act(*options);
  });
}

}  // namespace neo
