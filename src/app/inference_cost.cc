#include "app/inference_cost.h"

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

int64_t paper_batch(const World& world) {
  if (world.name() == "arithmetic") return 512;
  return world.name() == "imaging" ? 64 : 128;
}

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

EpisodeSet part_of(const EpisodeSet& all, int64_t begin, int64_t count) {
  EpisodeSet part{.name = all.name, .world = all.world, .longest_program = all.longest_program};
  const auto rows = [&](const torch::Tensor& t) { return t.narrow(0, begin, count); };
  part.support_x = rows(all.support_x);
  part.support_y = rows(all.support_y);
  part.query_x = rows(all.query_x);
  part.query_y = rows(all.query_y);
  return part;
}

// The median over disjoint batches, after one that warms up.
double milliseconds(const EpisodeSet& episodes, int64_t batch,
                    const std::function<void(const EpisodeSet&)>& run) {
  run(part_of(episodes, 0, batch));
  std::vector<double> times;
  for (int64_t i = 1; i <= kBatches; ++i) {
    const int64_t begin = i * batch % (episodes.size() - batch + 1);
    const auto start = std::chrono::steady_clock::now();
    run(part_of(episodes, begin, batch));
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

json inference_cost(NeoImpl& model, const EpisodeSet& episodes, const InferenceCostOptions& options) {
  const int64_t batch = std::min(paper_batch(model.world()), episodes.size());
  json rows = json::array();
  const auto add = [&](const std::string& method, int64_t budget,
                       const std::function<void(const EpisodeSet&)>& run) {
    rows.push_back({{"method", method},
                    {"budget", budget},
                    {"batch", batch},
                    {"ms_per_batch", milliseconds(episodes, batch, run)}});
  };
  add(options.method, 1, [&](const EpisodeSet& e) { evaluate_greedy(model, e, options.judging); });
  if (model.has_codes() && model.observation().readout().is_categorical()) {
    std::vector<int64_t> budgets{options.sampling.draws};
    if (options.sampling.draws > 8) budgets.insert(budgets.begin(), 8);
    for (int64_t draws : budgets) {
      SamplingOptions sampling = options.sampling;
      sampling.draws = draws;
      sampling.budgets = {draws};
      add(options.method + "-s", draws,
          [&](const EpisodeSet& e) { evaluate_sampling(model, e, sampling, 1); });
    }
  } else if (model.has_codes()) {
    add(options.method + "-s", options.beam_width, [&](const EpisodeSet& e) {
      evaluate_latent_beam(model, e, options.judging.steps, options.beam_width);
    });
  }
  return {{"processor", processor_name()},
          {"threads", torch::get_num_threads()},
          {"load", load()},
          {"inference", rows}};
}

}  // namespace neo
