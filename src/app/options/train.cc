#include <memory>

#include "app/commands.h"
#include "app/help_text.h"
#include "app/settings.h"
#include "benchmark/methods.h"
#include "train/config.h"

namespace neo {
namespace {

std::vector<std::string> trained_methods() {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.is_trained()) names.push_back(method.name);
  }
  return names;
}

}  // namespace

void setup_train(CLI::App& app, const Act& act) {
  auto options = std::make_shared<TrainCommand>();
  CLI::App* command = app.add_subcommand("train", "Train a theory on a benchmark's pairs or your own");
  command->add_option("benchmark", options->benchmark,
                      benchmark_list() + "; leave it out for your own pairs (--data), or to resume");
  command->add_option("--alpha", options->alpha, "Benchmark: share of the short programs that is trained on")
      ->check(within(between(0, 1)))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")->check(is_seed())->capture_default_str();
  command->add_option("--preset", options->preset, "fast or paper; some benchmarks have more")
      ->capture_default_str();
  command->add_option("--method", options->method, "neo, or a baseline: disc-mono, cont-mono")
      ->check(CLI::IsMember(trained_methods()))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Optimiser steps (default: the preset's)")
      ->check(allowed<TrainConfig>("steps"));
  auto precision = std::make_shared<std::string>();
  add_precision(*command, *precision);
  command->add_flag("--grouped", options->grouped,
                    "Explain pairs of a group together: supervision that the paper does without, recorded as such");
  command->add_option("--set", options->settings, "Change a setting: --set optimizer.rate=1e-3")->take_all();
  add_settings_help(*command, TrainConfig{}, "where the preset sets none; a run's own are in its config.toml");
  command->add_option("--config", options->config, "A TOML file on top of the preset");
  command->add_option("--data", options->data,
                      "Your own pairs (a file of `neo data import`); for a benchmark a folder with train.h5 and id.h5 "
                      "(default: made under data/)");
  command->add_option("--observation", options->observation,
                      "Weights of the observation model (default: shipped, or made from your pairs)");
  command->add_option("--out", options->run, "Run folder (default: runs/<benchmark or file>-<preset>...)");
  command->add_flag("--tensorboard", options->tensorboard, "Also write events for TensorBoard into RUN/tensorboard");
  command->add_flag("--resume", options->resume, "Resume an interrupted run; with more --steps, extend a finished one");
  command->add_flag("--watch", options->watch, "Show loss, share explained, codes and what they do instead of a bar");
  command->footer("Examples:\n  neo train " + some_benchmark() + " --alpha 0.33 --seed 42\n  neo train --data pairs.h5 --out " +
                  "runs/mine\n  neo train --resume --out runs/mine --steps 1200");
  command->callback([options, precision, act] {
    if (!options->benchmark.empty()) benchmark_named(options->benchmark);
    set_precision(options->settings, *precision);
    check_assignments(TrainConfig{}, options->settings);
    act(*options);
  });
}

}  // namespace neo
