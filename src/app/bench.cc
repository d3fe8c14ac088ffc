#include <fmt/format.h>
#include <torch/torch.h>

#include "app/execute.h"
#include "kernels/instructions.h"
#include "neo/growth.h"
#include "neo/peak.h"
#include "neo/timing.h"

namespace neo {
namespace {

void print_peaks(const BenchCommand& command) {
  const Peaks peaks = measure_peaks(command.threads);
  if (!command.json) return fmt::print("{}", table(peaks));
  for (const nlohmann::json& line : to_json(peaks)) fmt::print("{}\n", line.dump());
}

void print_growth(const BenchCommand& command) {
  std::vector<GrowthPoint> points;
  for (const GrowthCase& of : growth_cases()) {
    points.push_back(measure_growth(of));
    if (command.json) fmt::print("{}\n", to_json(points.back()).dump());
  }
  if (!command.json) fmt::print("{}", table(points));
}

}  // namespace

void execute(const BenchCommand& command) {
  torch::set_num_threads(command.threads);
  if (command.peak) return print_peaks(command);
  if (command.grow) return print_growth(command);
  const TimingRecord record{.measured = command,
                            .timing = measure(command),
                            .instructions = std::string(name_of(instructions())),
                            .precision = precision_of(command),
                            .threads = command.threads,
                            .peak = measure_peak(instructions(), command.threads) * 1e-9};
  if (command.json)
    fmt::print("{}\n", to_json(record).dump());
  else
    fmt::print("{}", table(record));
}

}  // namespace neo
