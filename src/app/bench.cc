#include <torch/torch.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/help_text.h"
#include "core/error.h"
#include "kernels/instructions.h"
#include "neo/peak.h"
#include "neo/timing.h"

namespace neo {
namespace {

struct BenchCommand : TimingOptions {
  int threads = 2;
  bool peak = false;
};

// One line for each form of the kernels and for the memory, on one thread and on all.
void run_peak(const BenchCommand& command) {
  for (int threads = 1; threads <= command.threads; threads += std::max(1, command.threads - 1)) {
    for (const Instructions form : available_instructions())
      fmt::print("{}\n", nlohmann::json{{"instructions", name_of(form)},
                                        {"threads", threads},
                                        {"multiply_adds_per_ns", measure_peak(form, threads) * 1e-9}}
                             .dump());
    fmt::print("{}\n", nlohmann::json{{"memory_bytes_per_ns", measure_bandwidth(threads) * 1e-9},
                                      {"threads", threads}}
                           .dump());
  }
}

void run_bench(const BenchCommand& command) {
  torch::set_num_threads(command.threads);
  if (command.peak) return run_peak(command);
  if (command.benchmark.empty()) fail_usage("`neo bench` needs a benchmark ({}), or --peak", benchmark_list());
  const Timing t = measure(command);
  const double per_ns = t.products / (t.best * 1e6), peak = measure_peak(instructions(), command.threads) * 1e-9;
  nlohmann::json record{{"benchmark", command.benchmark},
                        {"preset", command.preset},
                        {"item", command.item},
                        {"threads", command.threads},
                        {"instructions", name_of(instructions())},
                        {"products", t.products},
                        {"peak_multiply_adds_per_ns", peak},
                        {"share_of_peak", per_ns / peak}};
  const std::string per = command.item == "train" ? "ms_per_step" : "ms_per_episode";
  record[per] = t.median;
  record["best_" + per] = t.best;
  if (command.item == "train") record["pairs"] = t.pairs;
  fmt::print("{}\n", record.dump());
}

}  // namespace

void setup_bench(CLI::App& app) {
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
                    "eval, search: a run folder or a weights file (default: fresh weights)");
  bench->add_option("--threads", command->threads, "CPU threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  bench->add_flag("--peak", command->peak, "Measure multiply-adds and memory reads at their fastest instead");
  bench->add_option("--set", command->settings, "Change a setting, for example --set batch=64");
  bench->footer("Example:\n  neo bench " + some_benchmark() +
                " --preset paper --item train\nbench/compare.sh sets these against plain PyTorch.");
  bench->callback([command] { run_bench(*command); });
}

}  // namespace neo
