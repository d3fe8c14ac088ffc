#include "neo/training.h"

#include "benchmark/methods.h"
#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/text.h"
#include "core/theory_files.h"
#include "data/groups.h"
#include "eval/inspection.h"
#include "eval/scores.h"
#include "eval/vocabulary.h"
#include "explain/present.h"
#include "model/weights.h"
#include "neo/state_maps.h"
#include "neo/theory.h"
#include "observe/pretrain.h"
#include "observe/tensors.h"
#include "train/presets.h"
#include "view/panels.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kValidationEpisodes = 1000;
constexpr int64_t kValidationInputs = 300;
constexpr int64_t kExampleBytes = 256 << 10;
constexpr int64_t kMostExamples = 64;
constexpr int64_t kSinglesForPretraining = 100000;

nlohmann::json to_json(const TrainingOptions& o) {
  return {{"benchmark", o.benchmark}, {"data", o.data.string()},     {"preset", o.preset},
          {"method", o.method},       {"alpha", o.alpha},            {"seed", o.seed},
          {"grouped", o.grouped},     {"observation", o.observation.string()}};
}

// Human-readable; --resume reads the manifest's options instead.
std::vector<std::string> to_command_line(const TrainingOptions& o) {
  std::vector<std::string> words{"neo", "train"};
  if (!o.benchmark.empty()) words.push_back(o.benchmark);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--preset", o.preset);
  add("--method", o.method);
  if (!o.benchmark.empty()) add("--alpha", fmt::format("{:.2f}", o.alpha));
  add("--seed", std::to_string(o.seed));
  add("--steps", o.steps > 0 ? std::to_string(o.steps) : "");
  add("--config", o.config);
  add("--data", o.data);
  add("--observation", o.observation);
  if (o.grouped) words.push_back("--grouped");
  for (const std::string& setting : o.settings) add("--set", setting);
  return words;
}

TrainingOptions restore_options(TrainingOptions options, const RunManifest& manifest) {
  const auto& saved = manifest.options;
  const auto damaged = [&] {
    fail("{} does not say what the run was asked for; train it again", (options.run / "manifest.json").string());
  };
  if (!saved.is_object()) damaged();
  try {
    options.benchmark = saved.at("benchmark").get<std::string>();
    options.preset = saved.at("preset").get<std::string>();
    options.method = saved.at("method").get<std::string>();
    options.alpha = saved.at("alpha").get<double>();
    options.seed = saved.at("seed").get<uint64_t>();
    options.grouped = saved.at("grouped").get<bool>();
    if (options.data.empty()) options.data = saved.at("data").get<std::string>();
    if (options.observation.empty()) options.observation = saved.at("observation").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    damaged();
  }
  return options;
}

// Sets how long the run of this folder takes in all.
void extend_run(const fs::path& run, TrainConfig& config, int64_t steps) {
  const int64_t made = read_status(run).step;
  if (steps <= made)
    fail_usage("{} has made {} steps already; to extend it, give --steps a larger number", run.string(), made);
  if (steps == config.steps || is_locked(run)) return;  // what has the lock is told so when it is asked for
  config.steps = steps;
  write_file_atomically(run_config_path(run), to_toml(config));
}

void check_same_data(const RunManifest& manifest, const fs::path& run, const std::string& digest) {
  const auto begun = manifest.data.find("train");
  if (begun != manifest.data.end() && begun->second != digest)
    fail("{} learns from other pairs than these; name their file or folder with --data", run.string());
}

Pairs to_pairs(const Benchmark& benchmark, const std::string& name, double alpha, const std::vector<Episode>& episodes) {
  std::vector<Pair> list;
  for (size_t i = 0; i < episodes.size(); ++i) {
    const auto [support, query] = pairs_of(benchmark, episodes[i], static_cast<int32_t>(i));
    list.push_back(support);
    list.push_back(query);
  }
  Pairs pairs = to_pairs(name, benchmark.space(), list);
  pairs.benchmark = benchmark.name();
  pairs.alpha = alpha;
  return pairs;
}

struct TrainingData {
  Pairs pairs, validation;
  FreshPairs fresh;
  std::string source;
};

// Episodes drawn on all cores for every pass: no gigabytes on disk, and the same ones again when a run is resumed.
TrainingData sampled_data(const Benchmark& benchmark, const TrainConfig& config, double alpha, uint64_t seed) {
  const auto draw = [&benchmark, episodes = config.sampled, alpha](const std::string& split, uint64_t draw_seed) {
    return generate_split(benchmark,
                          {.alpha = alpha, .episodes = episodes, .fast_sampling = true, .seed = draw_seed}, split);
  };
  const FreshPairs fresh = [draw, &benchmark, alpha, seed](int64_t pass) {
    return to_pairs(benchmark, "train", alpha, draw("train", seed + (static_cast<uint64_t>(pass) << 32)));
  };
  // The validation set takes turns through the programs, which come one after the other.
  const auto all = draw("id", seed);
  std::vector<Episode> id;
  const size_t stride = std::max<size_t>(1, all.size() / static_cast<size_t>(kValidationEpisodes));
  for (size_t i = 0; i < all.size(); i += stride) id.push_back(all[i]);
  return {fresh(0), to_pairs(benchmark, "id", alpha, id), fresh, std::string(benchmark.title())};
}

TrainingData benchmark_data(const Benchmark& benchmark, const TrainConfig& config, const TrainingOptions& o) {
  if (config.sampled > 0 && o.data.empty()) return sampled_data(benchmark, config, o.alpha, o.seed);
  const auto file = [&](const char* split) {
    return o.data.empty() ? ensure_split(benchmark, o.alpha, split) : o.data / (std::string(split) + ".h5");
  };
  return {load_pairs(file("train")), load_pairs(file("id"), Part::main, kValidationEpisodes), {},
          std::string(benchmark.title())};
}

TrainingData own_data(const fs::path& path) {
  if (fs::is_directory(path)) fail_usage("{} is a folder; name a file made by `neo data import`", path.string());
  PairReader reader(path);
  const bool held_out = reader.count(Part::held_out) > 0;
  return {load_pairs(path), load_pairs(path, held_out ? Part::held_out : Part::main, kValidationEpisodes), {},
          reader.info().source.empty() ? path.stem().string() : reader.info().source};
}

// A benchmark's own presets where it has some, else those of the layout.
std::string family_of(const TrainingOptions& o) {
  if (o.benchmark.empty()) return std::string(layout_name(PairReader(o.data).info().space.layout));
  const Benchmark& benchmark = benchmark_named(o.benchmark);
  return preset_names(o.benchmark).empty() ? std::string(layout_name(benchmark.space().layout)) : o.benchmark;
}

// D pairs determine a linear map of D dimensions: with few pairs, every code could learn its share by heart. So there
// are many pairs for each dimension of a state, and for each dimension of each code while codes are told apart.
void bound_dimensions(TrainConfig& config, int64_t pairs) {
  if (config.objective != "latent-wake-sleep") return;
  constexpr int64_t kPairsPerDimension = 8, kPairsPerCodeDimension = 3, kLeast = 4;
  const auto bound = [&](int64_t& dimensions, int64_t most) {
    dimensions = std::min(dimensions, std::max(most, kLeast));
  };
  bound(config.model.observation.width, pairs / kPairsPerDimension);
  bound(config.model.programmer.features, config.model.observation.width);
  bound(config.latent_wake_sleep.coarse_dims, pairs / (kPairsPerCodeDimension * config.model.quantizer.codes));
}

// What counting finds in the pairs, where that was not tried yet.
std::shared_ptr<const Discovery> discovery_of(const TrainingOptions& options, const TrainingData& data) {
  if (options.discovery) return options.discovery;
  auto found = discover_operations(data.pairs, data.validation, options.seed);
  if (!found) fail_usage("an executor of kind discovered needs categories, at most 256 of them");
  if (found->vocabulary.empty()) fail("counting finds no operation in these pairs; choose another model.executor.kind");
  return std::make_shared<Discovery>(std::move(*found));
}

// Sizes and schedule follow from what was found. What the user set stays.
std::vector<std::string> settings_with(const Discovery& found, const TrainingOptions& options, const Space& space) {
  std::vector<std::string> settings = settings_of(found, space);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return settings;
}

bool starts_from_consensus(const TrainConfig& config) {
  return config.objective == "latent-wake-sleep" && config.latent_wake_sleep.start == "consensus";
}

// What the pairs' states have in common, before there is a model.
StateMaps state_maps_of(const TrainingData& data, const TrainRequest& request) {
  const auto observation = make_observation_model(request.config.model.observation, data.pairs.space);
  request.prepare_observation(*observation);
  observation->freeze();
  return discover_state_maps(data.pairs, data.validation, *observation, request.config.latent_wake_sleep, request.seed);
}

// Makes an observation model the first time; afterwards gives every model of the same form those weights.
std::function<void(ObservationModel&)> prepared_once(std::function<void(ObservationModel&)> prepare) {
  auto made = std::make_shared<std::map<std::string, TensorData>>();
  return [made, prepare = std::move(prepare)](ObservationModel& model) {
    if (!made->empty()) return take_tensors(model, "", *made, "the observation model");
    prepare(model);
    put_tensors(model, "", *made);
  };
}

fs::path default_run(const TrainingOptions& o) {
  const std::string preset = preset_of_method(o.preset, o.method);
  const std::string name =
      o.benchmark.empty() ? fmt::format("{}-{}-seed{}", o.data.stem().string(), preset, o.seed)
                          : fmt::format("{}-{}-alpha{:.2f}-seed{}", o.benchmark, preset, o.alpha, o.seed);
  return fs::path("runs") / name;
}

}  // namespace

TrainConfig resolve_config(const std::string& family, const std::string& preset, double alpha,
                           const fs::path& file, const std::vector<std::string>& settings, int64_t pairs) {
  TrainConfig config = load_preset(family, preset, alpha);
  if (pairs > 0) bound_dimensions(config, pairs);
  if (!file.empty()) load_toml(config, file);
  for (const std::string& setting : settings) set_assignment(config, setting);
  check_settings(config);
  return config;
}

fs::path observation_weights_path(const std::string& family, const TrainConfig& config) {
  return shared_folder() / "weights" /
         fmt::format("{}-{}-observation.safetensors", family, config.model.observation.kind);
}

std::function<void(ObservationModel&)> observation_from(const fs::path& weights, const ObservationConfig& config,
                                                        const Pairs& pairs, uint64_t seed) {
  if (!weights.empty())
    return [weights, config](ObservationModel& model) { load_observation_model(weights, model, config); };
  const auto singles = [pairs] {
    const Pairs some = subsample(pairs, kSinglesForPretraining / 2);
    return torch::cat({some.x, some.y});
  };
  return [singles, seed, kind = config.kind](ObservationModel& model) {
    PretrainConfig pretraining = default_pretraining(kind);
    pretraining.least = 0;  // there are no more
    pretrain(model, singles(), pretraining, seed);
  };
}

std::function<Validation(NeoImpl&)> validation_on(const Pairs& pairs, const Policy& policy) {
  return [episodes = episodes_of(pairs), benchmark = find_benchmark(pairs.benchmark), policy](NeoImpl& model) {
    const SplitScore score = evaluate_policy(model, episodes, policy);
    const double measure = score.transfer.value_or(score.self);
    nlohmann::json record{{"id_self", score.self}, {"explained", score.explained}};
    if (score.transfer) record["id_transfer"] = *score.transfer;
    if (benchmark) {
      const auto inputs = episodes.support_x.narrow(0, 0, std::min(kValidationInputs, episodes.size()));
      const Vocabulary vocabulary = inspect_vocabulary(model, inputs, benchmark);
      record["primitiveness"] = vocabulary.primitiveness;
      record["exactness"] = vocabulary.exactness;
    }
    // An error is the better the less it is.
    return Validation{model.space().is_categorical() ? measure : -measure, record};
  };
}

std::vector<Pair> example_pairs(const Pairs& pairs) {
  const int64_t most = std::clamp<int64_t>(kExampleBytes / (2 * pairs.space.bytes()), 4, kMostExamples);
  std::vector<int32_t> group = pairs.group;
  group.resize(static_cast<size_t>(pairs.size()), -1);
  const auto episodes = episode_rows(group);
  std::vector<Pair> examples;
  const auto add = [&](int64_t row) {
    examples.push_back(
        {to_observation(pairs.x[row]), to_observation(pairs.y[row]), group[static_cast<size_t>(row)], ""});
  };
  const auto count = static_cast<int64_t>(episodes.size());
  for (int64_t i = 0; i < std::min(most, count) && static_cast<int64_t>(examples.size()) < most; ++i) {
    const EpisodeRows& rows = episodes[static_cast<size_t>(most < count ? i * count / most : i)];
    add(rows.support);
    if (rows.query) add(*rows.query);
  }
  return examples;
}

// The vocabulary, tried on some of the pairs.
std::function<ModelPicture(NeoImpl&)> drawing_on(const Pairs& pairs, const Policy& policy) {
  constexpr int64_t kDrawn = 64;
  return [episodes = episodes_of(subsample(pairs, kDrawn)), policy](NeoImpl& model) -> ModelPicture {
    if (!model.has_codes()) return {};
    const auto view = make_view(model.space());
    const Inspection found = inspect({model, policy, *view}, episodes, {.inputs = kDrawn, .pairs = kDrawn});
    std::vector<PanelRow> rows;
    for (const CodeReport& report : found.codes) rows.push_back(panels_of(report));
    const Canvas canvas = draw_panels(*view, rows);
    return {encode_png(canvas.pixels(), canvas.width()), canvas.width(), canvas.height()};
  };
}

PreparedTraining prepare_training(TrainingOptions options) {
  if (options.resume && options.run.empty() && options.benchmark.empty() && options.data.empty())
    fail_usage("which run? name it with --out RUN");
  if (!options.resume && options.benchmark.empty() && options.data.empty())
    fail_usage("what to learn from? a benchmark ({}), or own pairs: --data FILE.h5 (`neo data import` makes one)",
               fmt::join(benchmark_names(), ", "));
  const std::string preset = preset_of_method(options.preset, options.method);
  options.run = run_folder_of(options);
  PreparedTraining prepared;
  TrainRequest& request = prepared.request;
  request.resume = options.resume;
  request.quiet = options.quiet;
  request.tensorboard = options.tensorboard;
  request.run = options.run;
  std::optional<RunManifest> begun;
  const auto configure = [&](const std::vector<std::string>& settings) {
    const int64_t own_pairs = options.benchmark.empty() ? PairReader(options.data).count(Part::main) : 0;
    request.config = resolve_config(family_of(options), preset, options.alpha, options.config, settings, own_pairs);
    request.config.grouped = request.config.grouped || options.grouped;
    if (options.steps > 0) request.config.steps = options.steps;
  };
  if (options.resume) {
    begun = read_manifest(options.run);
    options = restore_options(options, *begun);
    load_toml(request.config, run_config_path(options.run));
    check_settings(request.config);
    if (options.steps > 0) extend_run(options.run, request.config, options.steps);
  } else {
    configure(options.settings);
  }
  const Benchmark* benchmark = options.benchmark.empty() ? nullptr : &benchmark_named(options.benchmark);
  TrainingData data = benchmark ? benchmark_data(*benchmark, request.config, options) : own_data(options.data);
  if (begun) check_same_data(*begun, options.run, data.pairs.digest);
  if (request.config.model.executor.kind == "discovered") {
    if (!begun) {
      options.discovery = discovery_of(options, data);
      configure(settings_with(*options.discovery, options, data.pairs.space));
    }
    request.prepare_executor = [options, data](NeoImpl& model) {
      set_operations(model, discovery_of(options, data)->vocabulary);
    };
  }
  fs::path weights = options.observation;
  if (benchmark && weights.empty()) {  // shipped, or made by `neo pretrain`; else made from the pairs
    const fs::path shipped = observation_weights_path(options.benchmark, request.config);
    if (fs::exists(shipped)) weights = shipped;
  }
  request.preset = options.preset;
  request.seed = options.seed;
  request.prepare_observation =
      prepared_once(observation_from(weights, request.config.model.observation, data.pairs, options.seed));
  const bool has_begun_training = begun && !list_checkpoints(options.run).empty();  // whose maps are in its checkpoint
  if (starts_from_consensus(request.config) && !has_begun_training) {
    if (!options.quiet) fmt::print(stderr, "looking for maps that the pairs have in common (seconds to a minute)\n");
    const auto maps = std::make_shared<StateMaps>(state_maps_of(data, request));
    if (!begun) {
      prepared.trials = trials_of(*maps);
      std::vector<std::string> settings{"latent_wake_sleep.start=noise"};
      if (maps->found.is_theory()) settings = settings_of(*maps, request.config);
      settings.insert(settings.end(), options.settings.begin(), options.settings.end());
      configure(settings);
    }
    if (starts_from_consensus(request.config))
      request.prepare_executor = [maps](NeoImpl& model) { set_maps(model, *maps); };
  }
  request.fresh = data.fresh;
  if (options.tensorboard) request.draw = drawing_on(data.validation, request.config.policy);
  request.validate = validation_on(data.validation, request.config.policy);
  request.examples = benchmark ? std::vector<Pair>{} : example_pairs(data.validation);
  request.source = data.source;
  request.options = to_json(options);
  request.command = to_command_line(options);
  prepared.pairs = std::move(data.pairs);
  return prepared;
}

fs::path run_folder_of(const TrainingOptions& options) {
  return options.run.empty() ? default_run(options) : options.run;
}

fs::path run_training(const TrainingOptions& options) {
  const PreparedTraining prepared = prepare_training(options);
  train(prepared.request, prepared.pairs);
  Theory theory = Theory::open(prepared.request.run);
  theory.set_names(theory.names());
  theory.save(theory_file(prepared.request.run));
  return prepared.request.run;
}

}  // namespace neo
