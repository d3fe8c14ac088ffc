#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/common.h"
#include "core/error.h"
#include "eval/search_curves.h"
#include "train/adamw.h"
#include "train/objective.h"
#include "train/pairs.h"
#include "train/resets.h"
#include "train/trainer.h"

namespace neo {
namespace {

struct BenchOptions {
  std::string world, preset = "fast", item = "train";
  int64_t steps = 20;
  int64_t episodes = 512;
  int threads = 2;
  std::filesystem::path model;
  std::vector<std::string> assignments;
};

struct Timing {
  double median = 0, best = 0;
};

Timing summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Neo fresh_model(const TrainConfig& config) {
  torch::manual_seed(1);
  Neo model(config.model, world_named(config.world));
  load_observation_model(observation_weights_path(config), model->observation(), config.model.observation,
                         world_named(config.world));
  model->observation().freeze();
  return model;
}

// A training run on real pairs, and the median over the steps of its second pass: a run makes many, and what
// the first has encoded may be remembered.
Timing bench_train(const TrainConfig& config, int64_t steps) {
  PairSet pairs = load_pairs(ensure_split(config.world, 0.33, "train"));
  const int64_t used = std::min(pairs.x.size(0), 2 * config.batch * steps);
  pairs.x = pairs.x.narrow(0, 0, used);
  pairs.y = pairs.y.narrow(0, 0, used);
  Neo model = fresh_model(config);
  const auto objective = make_objective(config.objective);
  AdamW optimizer(parameter_groups(*model, config.optimizer),
                  {.decay = config.optimizer.decay, .clip = config.optimizer.clip});
  BatchStream batches(pairs, config.batch, 1);
  RngStream random(1, "bench");
  CodeUsage usage(config.resets, config.model.quantizer.codes);
  const int64_t first_pass = batches.batches_per_pass();
  std::vector<double> times;
  for (int64_t i = 0; i < first_pass + steps; ++i) {
    const auto start = std::chrono::steady_clock::now();
    optimizer.zero_grad();
    const StepResult result = objective->compute(
        *model, batches.next(),
        {i, config.objective.tau_start, config.objective.lambda_start, &usage.shares(), &random});
    if (result.loss.requires_grad()) result.loss.backward();
    optimizer.step(1.0);
    model->bottleneck().commit();
    usage.add(result.usage, result.solved);
    if (i >= first_pass) times.push_back(milliseconds_since(start));
  }
  return summary(times);
}

// Evaluation of a theory, or of fresh weights where none is named: those solve nothing, so no program is
// replayed on a query.
Timing bench_eval(const TrainConfig& config, const BenchOptions& options) {
  Neo model = options.model.empty() ? fresh_model(config) : open_theory(options.model).loaded.model;
  model->eval();
  const EpisodeSet set = load_episodes(ensure_split(config.world, 0.33, "id"), options.episodes);
  const TransferOptions judging = judging_of(set, config);
  const SamplingOptions sampling{.draws = config.evaluation.draws,
                                 .steps = judging.steps,
                                 .temperature = config.evaluation.temperature,
                                 .budgets = {config.evaluation.draws}};
  std::vector<double> times;
  for (int i = 0; i < 4; ++i) {
    model->observation().freeze();  // forgets what it has encoded: an evaluation sees its episodes once
    const auto start = std::chrono::steady_clock::now();
    if (options.item == "search") {
      evaluate_sampling(*model, set, sampling, 1);
    } else {
      evaluate_greedy(*model, set, judging);
    }
    if (i > 0) times.push_back(milliseconds_since(start) / static_cast<double>(set.size()));
  }
  return summary(times);
}

void run_bench(const BenchOptions& options) {
  torch::set_num_threads(options.threads);
  const TrainConfig config = resolve_config(options.world, options.preset, 0.33, {}, options.assignments);
  nlohmann::json record{{"world", options.world},
                        {"preset", options.preset},
                        {"item", options.item},
                        {"threads", options.threads}};
  if (options.item == "train") {
    const Timing t = bench_train(config, options.steps);
    record["ms_per_step"] = t.median;
    record["best_ms_per_step"] = t.best;
    record["pairs"] = 2 * config.batch;
  } else {
    const Timing t = bench_eval(config, options);
    record["ms_per_episode"] = t.median;
    record["best_ms_per_episode"] = t.best;
  }
  fmt::print("{}\n", record.dump());
}

}  // namespace

void setup_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "Time a training step, greedy evaluation or NEO-S");
  command->add_option("world", options->world, "gridworld, arithmetic or imaging")->required();
  command->add_option("--preset", options->preset, "fast or paper")->capture_default_str();
  command->add_option("--item", options->item, "train, eval or search")
      ->check(CLI::IsMember({"train", "eval", "search"}))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Training steps to time")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--episodes", options->episodes, "Episodes to evaluate")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--model", options->model,
                      "eval, search: a run folder or a weights file (default: fresh weights)");
  command->add_option("--threads", options->threads, "CPU threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--set", options->assignments, "Change a setting, for example --set batch=64");
  command->footer(
      "Example:\n  neo bench gridworld --preset paper --item train\nbench/compare.sh sets these against "
      "plain PyTorch.");
  command->callback([options] { run_bench(*options); });
}

}  // namespace neo
