#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "train/config.h"

namespace neo {

void setup_sweep(CLI::App& app, const Act& act) {
  auto options = std::make_shared<SweepCommand>();
  SweepRequest& request = options->request;
  CLI::App* command =
      app.add_subcommand("sweep", "Train with every value of a setting, and tabulate the results");
  command->add_option("benchmark", request.benchmark, benchmark_list())->required();
  command->add_option("--set", request.settings, "A setting and its values: steps=200,400")
      ->take_all()
      ->required();
  command->add_option("--seeds", request.seeds, "Random seeds; by default one that recipes are made with")
      ->check(is_seed())
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--alpha", request.alpha, "Share of the short programs that is trained on")
      ->capture_default_str();
  command->add_option("--preset", request.preset, "fast or paper; some benchmarks have more")
      ->capture_default_str();
  command->add_option("--method", request.method, "neo, disc-mono, cont-mono")->capture_default_str();
  command->add_option("--episodes", request.episodes, "Most episodes per split (default: the preset's)");
  command->add_option("--jobs", options->jobs, "Runs at a time; with several, each has one thread")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--out", options->out, "Folder of the runs and records")->capture_default_str();
  command->add_flag("--resume", options->resume, "Go on with an interrupted sweep, or add values to it");
  command->add_flag("--json", options->json, "Print the table as JSON");
  command->footer("Examples:\n  neo sweep " + some_benchmark() +
                  " --set model.quantizer.codes=3,4,6,12,36\n  neo sweep " + some_benchmark() +
                  " --set steps=200,400,800 --seeds 42,43,44 --out runs/steps");
  command->callback([options, act] {
    benchmark_named(options->request.benchmark);
    for (const auto& point : sweep_points(options->request.settings)) check_assignments(TrainConfig{}, point);
    act(*options);
  });
}

}  // namespace neo
