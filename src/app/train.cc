#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/common.h"
#include "core/config.h"
#include "core/error.h"
#include "core/progress.h"
#include "core/text.h"
#include "eval/transfer.h"
#include "eval/vocabulary.h"
#include "train/methods.h"
#include "train/presets.h"
#include "train/trainer.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
constexpr int64_t kValidationEpisodes = 1000;
constexpr int64_t kValidationInputs = 300;

struct TrainOptions {
  std::string world, preset = "fast", method = "neo";
  double alpha = 0.33;
  uint64_t seed = 42;
  int64_t steps = 0;
  std::vector<std::string> assignments;
  fs::path out, data, config, observation;
  bool resume = false;
};

// Checkpoints are chosen by ID transfer alone; nothing OOD is ever read here.
std::function<Validation(NeoImpl&)> validation_on(const EpisodeSet& id, const TrainConfig& config) {
  return [&id, judging = judging_of(id, config)](NeoImpl& model) {
    const SplitScore score = evaluate_greedy(model, id, judging);
    const Vocabulary vocabulary =
        inspect_vocabulary(model, id.support_x.narrow(0, 0, std::min(kValidationInputs, id.size())));
    const bool exact = model.observation().readout().is_categorical();
    return Validation{exact ? score.transfer : -score.transfer,  // L1: less is better
                      {{"id_self", score.self},
                       {"id_transfer", score.transfer},
                       {"primitiveness", vocabulary.primitiveness},
                       {"exactness", vocabulary.exactness}}};
  };
}

struct TrainingData {
  PairSet pairs;
  EpisodeSet id;
  FreshPairs fresh;
};

// Imaging's episodes of one split, drawn from CIFAR-10 on all cores: no gigabytes on disk, and the same ones
// again when a run is resumed.
std::vector<Episode> sampled_split(const TrainConfig& config, double alpha, uint64_t seed,
                                   const std::string& wanted) {
  DataRequest request{.world = config.world, .alpha = alpha, .episodes = config.sampled};
  request.fast_sampling = true;
  request.seed = seed;
  request.cifar = "data/cifar10";
  std::vector<Episode> episodes;
  generate(request, [&](const std::string& split, int64_t, const std::vector<Program>&) -> EpisodeSink {
    if (split != wanted) return {};
    return [&episodes](const Episode& episode) { episodes.push_back(episode); };
  });
  return episodes;
}

// Every pass over the data has pairs of its own.
TrainingData sampled_data(const TrainConfig& config, double alpha, uint64_t seed) {
  const World& world = world_named(config.world);
  const FreshPairs fresh = [config, alpha, seed, &world](int64_t pass) {
    const uint64_t of_pass = seed + (static_cast<uint64_t>(pass) << 32);
    return pairs_of(world, alpha, sampled_split(config, alpha, of_pass, "train"));
  };
  // The validation set takes turns through the programs, which come one after the other.
  const auto all = sampled_split(config, alpha, seed, "id");
  std::vector<Episode> id;
  const size_t stride = std::max<size_t>(1, all.size() / static_cast<size_t>(kValidationEpisodes));
  for (size_t i = 0; i < all.size(); i += stride) id.push_back(all[i]);
  return {fresh(0), episodes_of(world, "id", id), fresh};
}

std::vector<std::string> trained_methods() {
  std::vector<std::string> names;
  for (const Method& method : methods()) {
    if (method.is_trained()) names.push_back(method.name);
  }
  return names;
}

double number(const std::string& text) {
  double value = 0;
  const auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ptr != end || text.empty())
    fail("the run's manifest.json says --alpha '{}', which is no number; set it right to go on",
         printable(text));
  return value;
}

// For the manifest, from which as_begun() reads it again.
std::vector<std::string> command_of(const TrainOptions& o) {
  std::vector<std::string> words{"neo", "train", o.world};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--preset", o.preset);
  add("--method", o.method);
  add("--alpha", fmt::format("{:.2f}", o.alpha));
  add("--seed", std::to_string(o.seed));
  add("--steps", o.steps > 0 ? std::to_string(o.steps) : "");
  add("--config", o.config);
  add("--data", o.data);
  add("--observation", o.observation);
  for (const std::string& assignment : o.assignments) add("--set", assignment);
  return words;
}

// A run to be resumed knows what it learns from.
TrainOptions as_begun(TrainOptions options, const TrainConfig& config, const RunManifest& manifest) {
  const auto word = [&](const char* option, const std::string& otherwise) {
    const auto at = std::ranges::find(manifest.command, option);
    return manifest.command.end() - at < 2 ? otherwise : *(at + 1);
  };
  options.world = config.world;
  options.seed = static_cast<uint64_t>(manifest.seed);
  options.preset = word("--preset", options.preset);
  options.method = word("--method", options.method);
  options.alpha = number(word("--alpha", std::to_string(options.alpha)));
  if (options.data.empty()) options.data = word("--data", "");
  if (options.observation.empty()) options.observation = word("--observation", "");
  return options;
}

void check_same_data(const RunManifest& manifest, const fs::path& run, const std::string& digest) {
  const auto begun = manifest.data.find("train");
  if (begun != manifest.data.end() && begun->second != digest)
    fail("{} learns from other pairs than these; name their folder with --data", run.string());
}

void run_train(TrainOptions options) {
  if (options.world.empty() && !(options.resume && !options.out.empty()))
    fail_usage("which world? gridworld, arithmetic or imaging; or a run: --resume --out RUN");
  const std::string preset = preset_of_method(options.preset, options.method);
  TrainRequest request;
  request.resume = options.resume;
  request.run = options.out.empty()
                    ? fs::path("runs") / fmt::format("{}-{}-alpha{:.2f}-seed{}", options.world, preset,
                                                     options.alpha, options.seed)
                    : options.out;
  std::optional<RunManifest> begun;
  if (options.resume) {
    load_toml(request.config, run_config_path(request.run));
    check_settings(request.config);
    begun = read_manifest(request.run);
    options = as_begun(options, request.config, *begun);
  } else {
    request.config =
        resolve_config(options.world, preset, options.alpha, options.config, options.assignments);
    if (options.steps > 0) request.config.steps = options.steps;
  }
  request.preset = options.preset;
  request.seed = options.seed;
  request.observation_weights =
      options.observation.empty() ? observation_weights_path(request.config) : options.observation;
  if (!fs::exists(request.observation_weights))
    fail("there is no {}; make it with `neo pretrain {} --preset {}`, or name another with --observation",
         request.observation_weights.string(), options.world, options.preset);
  request.command = command_of(options);
  const fs::path folder = options.data;
  const auto file = [&](const char* split) {
    return folder.empty() ? ensure_split(options.world, options.alpha, split)
                          : folder / (std::string(split) + ".h5");
  };
  const bool sampled = request.config.sampled > 0 && folder.empty();
  const TrainingData data =
      sampled ? sampled_data(request.config, options.alpha, request.seed)
              : TrainingData{load_pairs(file("train")), load_episodes(file("id"), kValidationEpisodes), {}};
  if (begun) check_same_data(*begun, request.run, data.pairs.digest);
  request.fresh = data.fresh;
  request.validate = validation_on(data.id, request.config);
  train(request, data.pairs);
  fmt::print("trained: {}\nnext: neo eval {}\n", request.run.string(), request.run.string());
}

}  // namespace

void setup_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand("train", "Learn a theory from pairs of observations");
  command->add_option("world", options->world,
                      "gridworld, arithmetic or imaging; a resumed run knows its own");
  command->add_option("--alpha", options->alpha, "Share of the short programs that is trained on")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")->capture_default_str();
  command->add_option("--preset", options->preset, "fast or paper; gridworld also: fast-rollout")
      ->capture_default_str();
  command->add_option("--method", options->method, "neo, or a baseline: disc-mono, cont-mono")
      ->check(CLI::IsMember(trained_methods()))
      ->capture_default_str();
  command->add_option("--steps", options->steps, "Optimiser steps (default: the preset's)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_option("--set", options->assignments, "Change a setting: --set optimizer.rate=1e-3")
      ->take_all();
  command->add_option("--config", options->config, "A TOML file on top of the preset");
  command->add_option("--data", options->data, "Folder with train.h5 and id.h5 (default: made under data/)");
  command->add_option("--observation", options->observation,
                      "Observation weights (default: the shipped ones)");
  command->add_option("--out", options->out,
                      "Run folder (default: runs/<world>-<preset>[-<method>]-alpha<A>-seed<S>)");
  command->add_flag("--resume", options->resume, "Go on where an interrupted run stopped");
  command->footer(
      "Example:\n  neo train gridworld --alpha 0.33 --seed 42\n  neo train gridworld --method "
      "disc-mono\n  neo train --resume --out runs/gridworld-fast-alpha0.33-seed42\n\nSettings (these values "
      "hold where the preset names none; a run's own are in its config.toml):\n" +
      describe(TrainConfig{}));
  command->callback([options] { run_train(*options); });
}

}  // namespace neo
