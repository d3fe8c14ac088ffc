#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "app/commands.h"
#include "app/common.h"
#include "core/error.h"
#include "eval/transfer.h"
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
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

Neo fresh_model(const TrainConfig& config) {
  torch::manual_seed(1);
  Neo model(config.model, world_named(config.world));
  model->observation().freeze();
  return model;
}

// A training run from the start on real pairs; the mean over its steps, since theories get cheaper to search
// as they get better.
double bench_train(const TrainConfig& config, int64_t steps) {
  const PairSet pairs = load_pairs(ensure_split(config.world, 0.33, "train"));
  Neo model = fresh_model(config);
  const auto objective = make_objective(config.objective);
  AdamW optimizer(parameter_groups(*model, config.optimizer),
                  {.decay = config.optimizer.decay, .clip = config.optimizer.clip});
  BatchStream batches(pairs, config.batch, 1);
  RngStream random(1, "bench");
  CodeUsage usage(config.resets, config.model.quantizer.codes);
  constexpr int64_t kWarmUp = 2;
  std::vector<double> times;
  for (int64_t i = 0; i < steps + kWarmUp; ++i) {
    const auto start = std::chrono::steady_clock::now();
    optimizer.zero_grad();
    const StepResult result = objective->compute(
        *model, batches.next(),
        {i, config.objective.tau_start, config.objective.lambda_start, &usage.shares(), &random});
    result.loss.backward();
    optimizer.step(1.0);
    model->quantizer().commit();
    usage.update(i, result.usage, result.solved);
    if (i >= kWarmUp) times.push_back(milliseconds_since(start));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// Fresh weights solve nothing, so every rollout takes all its steps.
double bench_eval(const TrainConfig& config, int64_t episodes, bool search) {
  Neo model = fresh_model(config);
  model->eval();
  const EpisodeSet set = load_episodes(ensure_split(config.world, 0.33, "id"), episodes);
  const auto run = [&] {
    if (search) {
      evaluate_sampling(*model, set,
                        {.draws = config.evaluation.draws,
                         .steps = config.evaluation.steps,
                         .temperature = config.evaluation.temperature},
                        1);
    } else {
      evaluate_greedy(*model, set, {config.evaluation.steps, config.evaluation.hard_grounding});
    }
  };
  run();
  const auto start = std::chrono::steady_clock::now();
  run();
  return milliseconds_since(start) / static_cast<double>(episodes);
}

void run_bench(const BenchOptions& options) {
  torch::set_num_threads(options.threads);
  const TrainConfig config = resolve_config(options.world, options.preset, 0.33, {}, {});
  nlohmann::json record{{"world", options.world},
                        {"preset", options.preset},
                        {"item", options.item},
                        {"threads", options.threads}};
  if (options.item == "train") {
    record["ms_per_step"] = bench_train(config, options.steps);
    record["pairs"] = 2 * config.batch;
  } else {
    record["ms_per_episode"] = bench_eval(config, options.episodes, options.item == "search");
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
  command->add_option("--threads", options->threads, "CPU threads")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer(
      "Example:\n  neo bench gridworld --preset paper --item train\nbench/compare.sh sets these against "
      "plain PyTorch.");
  command->callback([options] { run_bench(*options); });
}

}  // namespace neo
