#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "observe/config.h"

namespace neo {

void setup_pretrain(CLI::App& app, const Act& act) {
  auto options = std::make_shared<PretrainCommand>();
  CLI::App* command = app.add_subcommand(
      "pretrain", "Train a benchmark's observation model (shipped, except the paper's image model)");
  command->add_option("benchmark", options->benchmark, benchmark_list())->required();
  command->add_option("--preset", options->preset, "Whose observation model: fast, paper")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")->check(is_seed())->capture_default_str();
  command->add_option("--out", options->out,
                      "Where to write (default: weights/<benchmark>-<kind>-observation.safetensors)");
  command->add_option("--set", options->settings, "Change a setting, e.g. --set steps=2000")->take_all();
  add_settings_help(*command, PretrainConfig{},
                    "of grid-vae; tokens and digits: steps 600, batch 64, rate 0.02; residual-vae: the paper's schedule");
  command->add_option("--device", options->device, "cpu, or cuda (for the paper's image model)")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->footer("Example:\n  neo pretrain " + some_benchmark() +
                  " --preset fast");
  command->callback([options, act] {
    benchmark_named(options->benchmark);
    check_assignments(PretrainConfig{}, options->settings);
    act(*options);
  });
}

}  // namespace neo
