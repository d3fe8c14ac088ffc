#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "core/error.h"
#include "train/config.h"

namespace neo {

void setup_bench(CLI::App& app, const Act& act) {
  auto command = std::make_shared<BenchCommand>();
  CLI::App* bench = app.add_subcommand("bench", "Time a training step, greedy evaluation or NEO-S");
  bench->add_option("benchmark", command->benchmark, benchmark_list());
  bench->add_option("--preset", command->preset, "fast or paper")->capture_default_str();
  bench->add_option("--item", command->item, "train, eval or search")
      ->check(CLI::IsMember({"train", "eval", "search"}))
      ->capture_default_str();
  bench->add_option("--steps", command->steps, "Training steps to time")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  bench->add_option("--episodes", command->episodes, "Episodes to evaluate")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  bench->add_option("--model", command->model,
                    "eval, search: a theory, as `neo models` lists them (default: fresh weights)")
      ->transform(names_theory());
  bench->add_option("--threads", command->threads, "CPU threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  bench->add_flag("--peak", command->peak, "Measure multiply-adds and memory reads at their fastest instead");
  bench
      ->add_flag("--grow", command->grow,
                 "Measure what a pair costs while pairs, grid side, codes, program length or image side "
                 "doubles instead")
      ->excludes("--peak");
  bench->add_flag("--json", command->json, "Print one JSON object per line");
  auto precision = std::make_shared<std::string>();
  add_precision(*bench, *precision);
  bench->add_option("--set", command->settings, "Change a setting, for example --set batch=64");
  bench->footer("Examples:\n  neo bench " + some_benchmark() +
                " --preset paper --item train\n  neo bench --peak\n  neo bench --grow\nbench/compare.sh sets "
                "these against plain PyTorch.");
  bench->callback([command, precision, act] {
    set_precision(command->settings, *precision);
    const bool of_benchmark = !command->peak && !command->grow;
    if (command->benchmark.empty() && of_benchmark)
      fail_usage("`neo bench` needs a benchmark ({}), --peak or --grow", benchmark_list());
    if (of_benchmark) benchmark_named(command->benchmark);
    check_assignments(TrainConfig{}, command->settings);
    act(*command);
  });
}

}  // namespace neo
