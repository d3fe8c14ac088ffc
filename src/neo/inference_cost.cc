#include "neo/inference_cost.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "eval/search_curves.h"

namespace neo {
namespace {
using nlohmann::json;
constexpr int64_t kBatches = 3;

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0.0;
}

// The median over disjoint batches, after one that warms up.
double milliseconds(const Episodes& episodes, int64_t batch,
                    const std::function<void(const Episodes&)>& run) {
  run(narrow(episodes, 0, batch));
  std::vector<double> times;
  for (int64_t i = 1; i <= kBatches; ++i) {
    const int64_t begin = i * batch % (episodes.size() - batch + 1);
    const auto start = std::chrono::steady_clock::now();
    run(narrow(episodes, begin, batch));
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

json inference_cost(NeoImpl& model, const Episodes& episodes, const InferenceCostOptions& options) {
  const int64_t batch = std::min(options.batch, episodes.size());
  json rows = json::array();
  const auto add = [&](const std::string& method, int64_t budget,
                       const std::function<void(const Episodes&)>& run) {
    rows.push_back({{"method", method},
                    {"budget", budget},
                    {"batch", batch},
                    {"ms_per_batch", milliseconds(episodes, batch, run)}});
  };
  Policy greedy = options.policy, beam = options.policy;
  greedy.search = "greedy";
  beam.search = "beam";
  add(options.method, 1, [&](const Episodes& e) { evaluate_policy(model, e, greedy); });
  if (model.has_codes() && model.space().is_categorical()) {
    std::vector<int64_t> budgets{options.policy.draws};
    if (options.policy.draws > 8) budgets.insert(budgets.begin(), 8);
    for (int64_t draws : budgets) {
      const SamplingOptions sampling{.draws = draws,
                                     .steps = options.policy.steps,
                                     .temperature = options.policy.temperature,
                                     .budgets = {draws}};
      add(options.method + "-s", draws, [&](const Episodes& e) { evaluate_sampling(model, e, sampling, 1); });
    }
  } else if (model.has_codes()) {
    add(options.method + "-s", beam.width, [&](const Episodes& e) { evaluate_policy(model, e, beam); });
  }
  return {{"processor", processor_name()},
          {"threads", torch::get_num_threads()},
          {"load", load()},
          {"inference", rows}};
}

}  // namespace neo
