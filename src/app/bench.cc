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

// Random observations and fresh weights: nothing matches its target, so every rollout takes all its steps.
torch::Tensor random_observations(const World& world, int64_t rows) {
  return torch::randint(0, world.values(), {rows, world.size()}, torch::kUInt8);
}

Neo fresh_model(const TrainConfig& config) {
  torch::manual_seed(1);
  Neo model(config.model, world_named(config.world));
  model->observation().freeze();
  return model;
}

double bench_train(const TrainConfig& config, int64_t steps) {
  Neo model = fresh_model(config);
  const auto objective = make_objective(config.objective, config.model.quantizer.codes);
  AdamW optimizer(parameter_groups(*model, config.optimizer),
                  {.decay = config.optimizer.decay, .clip = config.optimizer.clip});
  RngStream random(1, "bench");
  std::vector<double> times;
  for (int64_t i = 0; i < steps + 2; ++i) {
    const PairBatch batch{random_observations(model->world(), 2 * config.batch),
                          random_observations(model->world(), 2 * config.batch)};
    const auto start = std::chrono::steady_clock::now();
    optimizer.zero_grad();
    objective->compute(*model, batch, {config.objective.tau_start, config.objective.lambda_start, &random})
        .loss.backward();
    optimizer.step(1e-6);
    model->quantizer().commit();
    if (i >= 2) times.push_back(milliseconds_since(start));  // the first steps warm up
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

double bench_eval(const TrainConfig& config, int64_t episodes, bool search) {
  Neo model = fresh_model(config);
  model->eval();
  const World& world = model->world();
  EpisodeSet set{"bench",
                 &world,
                 1,
                 random_observations(world, episodes),
                 random_observations(world, episodes),
                 random_observations(world, episodes),
                 random_observations(world, episodes)};
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
