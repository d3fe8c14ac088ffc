#include "neo/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "benchmark/split_files.h"
#include "core/table.h"
#include "core/text.h"
#include "core/theory_files.h"
#include "eval/search_curves.h"
#include "kernels/products_ops.h"
#include "neo/evaluation.h"
#include "neo/training.h"

namespace neo {
namespace {

constexpr double kAlpha = 0.33;

std::string unit_of(const TimingOptions& options) { return options.item == "train" ? "step" : "episode"; }

Timing summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {.median = times[times.size() / 2], .best = times.front()};
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

TrainRequest request_for(const TimingOptions& options, const TrainConfig& config, const Pairs& pairs) {
  TrainRequest request;
  request.config = config;
  request.seed = 1;
  request.prepare_observation = observation_from(observation_weights_path(options.benchmark, config),
                                                 config.model.observation, pairs, 1);
  return request;
}

// The median over the steps of a second pass: a run makes many, and what the first has encoded may be remembered.
Timing time_training(const TimingOptions& options, const TrainConfig& config) {
  const Benchmark& benchmark = benchmark_named(options.benchmark);
  Pairs pairs = load_pairs(ensure_split(benchmark, kAlpha, "train"));
  const int64_t used = std::min(pairs.size(), config.batch * options.steps);
  pairs.x = pairs.x.narrow(0, 0, used);
  pairs.y = pairs.y.narrow(0, 0, used);
  if (!pairs.group.empty()) pairs.group.resize(static_cast<size_t>(used));
  Training training(request_for(options, config, pairs), pairs);
  const int64_t first_pass = (used + config.batch - 1) / config.batch;
  std::vector<double> times;
  for (int64_t i = 0; i < first_pass + options.steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    training.advance();
    if (i >= first_pass) times.push_back(milliseconds_since(start));
  }
  Timing timing = summary(times);
  timing.pairs = config.batch;
  const AllProductCounter counter;
  training.advance();
  timing.products = static_cast<double>(counter.count());
  return timing;
}

Neo fresh_model(const TimingOptions& options, const TrainConfig& config) {
  torch::manual_seed(1);
  Neo model(config.model, benchmark_named(options.benchmark).space());
  load_observation_model(observation_weights_path(options.benchmark, config), model->observation(),
                         config.model.observation);
  model->observation().freeze();
  model->eval();
  return model;
}

Timing time_evaluation(const TimingOptions& options, const TrainConfig& config) {
  const Benchmark& benchmark = benchmark_named(options.benchmark);
  Neo model = options.model.empty() ? fresh_model(options, config) : load_theory(theory_file(options.model)).model;
  const Episodes episodes =
      episodes_of(load_pairs(ensure_split(benchmark, kAlpha, "id"), Part::main, options.episodes));
  Policy policy = policy_for(config.policy, &benchmark, "id");
  policy.search = "greedy";
  const SamplingOptions sampling{.draws = policy.draws,
                                 .steps = policy.steps,
                                 .temperature = policy.temperature,
                                 .budgets = {policy.draws}};
  const auto evaluate = [&] {
    model->observation().freeze();  // forgets what it has encoded: an evaluation sees its episodes once
    const auto start = std::chrono::steady_clock::now();
    if (options.item == "search") {
      evaluate_sampling(*model, episodes, sampling, 1);
    } else {
      evaluate_policy(*model, episodes, policy);
    }
    return milliseconds_since(start) / static_cast<double>(episodes.size());
  };
  double products = 0;
  {
    const AllProductCounter counter;
    evaluate();
    products = static_cast<double>(counter.count()) / static_cast<double>(episodes.size());
  }
  Timing timing = summary({evaluate(), evaluate(), evaluate()});
  timing.products = products;
  return timing;
}

}  // namespace

Timing measure(const TimingOptions& options) {
  const TrainConfig config = resolve_config(options.benchmark, options.preset, kAlpha, {}, options.settings);
  return options.item == "train" ? time_training(options, config) : time_evaluation(options, config);
}

std::string precision_of(const TimingOptions& options) {
  if (options.item != "train") return "float32";
  return resolve_config(options.benchmark, options.preset, kAlpha, {}, options.settings).precision;
}

nlohmann::json to_json(const TimingRecord& r) {
  nlohmann::json json{{"benchmark", r.measured.benchmark},
                      {"preset", r.measured.preset},
                      {"item", r.measured.item},
                      {"threads", r.threads},
                      {"instructions", r.instructions},
                      {"precision", r.precision},
                      {"products", r.timing.products},
                      {"peak_multiply_adds_per_ns", r.peak},
                      {"share_of_peak", r.share_of_peak()}};
  const std::string per = "ms_per_" + unit_of(r.measured);
  json[per] = r.timing.median;
  json["best_" + per] = r.timing.best;
  if (r.timing.pairs > 0) json["pairs"] = r.timing.pairs;
  return json;
}

std::string table(const TimingRecord& r) {
  const std::string unit = unit_of(r.measured);
  return aligned({{"benchmark", "preset", "item", "ms per " + unit, "at best", "share of peak"},
                  {r.measured.benchmark, r.measured.preset, r.measured.item, fmt::format("{:.4g}", r.timing.median),
                   fmt::format("{:.4g}", r.timing.best), fmt::format("{:.0f} %", 100 * r.share_of_peak())}},
                 /*names=*/3) +
         wrapped(fmt::format("{}, {} on {}; {} needs {:.4g} million multiply-adds, of which {:.0f} fit in a nanosecond",
                             r.instructions, r.precision, counted(r.threads, "thread"),
                             r.timing.pairs > 0 ? fmt::format("a step of {} pairs", r.timing.pairs) : "an " + unit,
                             1e-6 * r.timing.products, r.peak)) +
         "\n";
}

}  // namespace neo
