#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "kernels/instructions.h"
#include "neo/peak.h"
#include "neo/timing.h"

namespace neo {
namespace {

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

}  // namespace

void execute(const BenchCommand& command) {
  torch::set_num_threads(command.threads);
  if (command.peak) return run_peak(command);
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

}  // namespace neo
