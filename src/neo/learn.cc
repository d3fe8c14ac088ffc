#include "neo/learn.h"

#include <chrono>
#include <cmath>

#include "core/error.h"
#include "core/run_folder.h"
#include "neo/training.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kTrialSteps = 8;
constexpr int64_t kEvaluatedPairs = 2000;
constexpr int64_t kTolerancePairs = 512;  // of those trained on
// The tolerance where nothing is exact: this many times the error of the observation model itself, and at
// least this much (of the range of a pixel, of the spread of a number).
constexpr double kToleratedLoss = 1.5, kLeastPixelTolerance = 0.02, kLeastRealTolerance = 0.05;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string name_of(const fs::path& source) {
  const fs::path clean = fs::absolute(source).lexically_normal();
  const std::string name = (clean.has_filename() ? clean : clean.parent_path()).stem().string();
  return name.empty() ? "pairs" : name;
}

// Steps of a schedule, all at the same pace.
void shorten(TrainConfig& config, double share) {
  const auto scale = [share](int64_t& steps) {
    if (steps > 0) steps = std::max<int64_t>(1, std::llround(share * static_cast<double>(steps)));
  };
  for (int64_t* steps :
       {&config.steps, &config.wake_sleep.wake_steps, &config.wake_sleep.dream_start,
        &config.wake_sleep.price.balance_steps, &config.latent_wake_sleep.wake_steps,
        &config.latent_wake_sleep.price.balance_steps, &config.latent_wake_sleep.split_every,
        &config.resets.every, &config.resets.start, &config.resets.age, &config.resets.patience,
        &config.validate_every, &config.checkpoint_every})
    scale(*steps);
}

// How much of the schedule fits the time, from a few steps that are then thrown away.
double share_that_fits(const TrainRequest& request, const Pairs& pairs, double seconds) {
  TrainRequest trial = request;
  Training training(trial, pairs);
  const auto start = Clock::now();
  for (int64_t i = 0; i < kTrialSteps; ++i) training.advance();
  const double each = seconds_since(start) / static_cast<double>(kTrialSteps);
  const auto most = static_cast<double>(request.config.steps + request.config.resets.patience);
  return std::min(1.0, seconds / (each * most));
}

Policy with_tolerance(const Theory& theory, const Pairs& pairs) {
  Policy policy = theory.policy();
  if (theory.space().is_categorical()) return policy;
  torch::NoGradGuard no_grad;
  auto& observation = theory.model().observation();
  const auto& y = pairs.y;
  const double floor = observation.readout().loss(observation.decode(observation.encode(y)), y).mean().item<double>();
  const double least = theory.space().kind == Kind::pixels ? kLeastPixelTolerance : kLeastRealTolerance;
  policy.tolerance = std::max(least, kToleratedLoss * floor);
  return policy;
}

double mean_error(const Theory& theory, const Pairs& pairs) {
  double total = 0;
  const Readout readout = theory.model().observation().readout();
  constexpr int64_t kRows = 128;
  for (int64_t begin = 0; begin < pairs.size(); begin += kRows) {
    const int64_t count = std::min(kRows, pairs.size() - begin);
    const auto y = pairs.y.narrow(0, begin, count);
    const Explanations found = explain_pairs(theory.model(), pairs.x.narrow(0, begin, count), y, theory.policy());
    total += readout.error(found.ends, y).sum().item<double>();
  }
  return total / static_cast<double>(pairs.size());
}

std::vector<std::string> names_of(const Theory& theory, const Inspection& inspection) {
  std::vector<std::string> names(static_cast<size_t>(theory.codes()));
  for (const CodeReport& report : inspection.codes) names[static_cast<size_t>(report.code)] = report.name;
  return names;
}

// Measures the theory on pairs that it was not trained on, names its codes, and keeps both in its file.
void conclude(LearnResult& result) {
  Theory theory = Theory::open(result.run);
  const Pairs pairs = load_evaluation_pairs(result.data, kEvaluatedPairs);
  theory.set_policy(with_tolerance(theory, load_pairs(result.data, Part::main, kTolerancePairs)));
  result.inspection = theory.vocabulary(pairs);
  theory.set_names(names_of(theory, result.inspection));
  theory.save(theory_file(result.run));
  result.score = theory.evaluate(pairs);
  result.error = mean_error(theory, pairs);
  if (!result.inspection.vocabulary.primitives.empty())
    result.primitiveness = result.inspection.vocabulary.primitiveness;
}

}  // namespace

nlohmann::json LearnResult::json() const {
  const auto optional = [](const std::optional<double>& value) -> nlohmann::json {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  };
  nlohmann::json used = nlohmann::json::array();
  for (const CodeReport& report : inspection.codes) {
    if (report.usage > 0) used.push_back({{"code", report.code}, {"name", report.name}, {"usage", report.usage}});
  }
  return {{"run", run.string()},
          {"data", data.string()},
          {"space", to_json(space)},
          {"structure", structure},
          {"codes", used.size()},
          {"vocabulary", used},
          {"explained", score.explained},
          {"error", error},
          {"length", score.mean_length},
          {"transfer", optional(score.transfer)},
          {"primitiveness", optional(primitiveness)},
          {"pairs", score.episodes},
          {"held_out", held_out},
          {"seconds", seconds}};
}

LearnResult learn(const LearnOptions& options) {
  const auto start = Clock::now();
  LearnResult result;
  const std::string name = name_of(options.sources.at(0));
  result.run = options.run.empty() ? fs::path("runs") / name : options.run;
  if (holds_run(result.run))
    fail_usage("{} already holds a run; continue it with `neo train --resume --out {}`, or choose another folder with --out",
               result.run.string(), result.run.string());
  if (options.sources.size() == 1 && is_pair_file(options.sources[0])) {
    result.data = options.sources[0];
  } else {
    ImportOptions import = options.import;
    import.sources = options.sources;
    import.out = fs::path("data") / (name + ".h5");
    import.seed = options.seed;
    import.is_quiet = options.quiet;
    result.imported = import_pairs(import);
    result.data = import.out;
  }
  TrainingOptions training{.data = result.data, .preset = options.preset, .seed = options.seed, .run = result.run,
                           .quiet = options.quiet};
  if (options.codes > 0) {
    training.settings = {fmt::format("model.quantizer.codes={}", options.codes),
                         fmt::format("model.quantizer.width={}", std::max<int64_t>(options.codes, 8))};
  }
  PreparedTraining prepared = prepare_training(training);
  TrainConfig& config = prepared.request.config;
  config.batch = std::min(config.batch, prepared.pairs.size());
  if (options.minutes > 0)
    shorten(config, share_that_fits(prepared.request, prepared.pairs, 60 * options.minutes - seconds_since(start)));
  result.space = prepared.pairs.space;
  result.structure = config.model.executor.kind;
  result.held_out = PairReader(result.data).count(Part::held_out) > 0;
  train(prepared.request, prepared.pairs);
  conclude(result);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace neo
