#include "neo/learn.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/theory_files.h"
#include "neo/training.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kLearned = "learned.json";  // the result, in the run folder
constexpr const char* kAuto = "auto";
constexpr const char* kFallback = "fast";  // the preset of the layout, where counting does not explain the pairs
// Less than that of the pairs explained is no theory, unless programs save more nats of y than they take to name.
// The numbers of an observation vary together: no more than so many count.
constexpr double kLeastExplained = 0.05;
constexpr int64_t kMostIndependent = 8;
constexpr const char* kCounted = "discovered";  // the structure of what counting found
constexpr double kSurelyTrained = 0.8;  // share explained from which counting, which found less, is not compared
constexpr int64_t kTrialSteps = 8;
constexpr int64_t kEvaluatedPairs = 2000;
constexpr double kConclusion = 4;    // what follows training takes as long as so many validations
constexpr double kLeastShare = 0.01;  // of a schedule, however short the time
constexpr int64_t kTolerancePairs = 512;  // of those trained on
// The tolerance where nothing is exact: this many times the error of the observation model itself, and at
// least this much (of the range of a pixel, of the spread of a number).
constexpr double kToleratedLoss = 1.5, kLeastPixelTolerance = 0.02, kLeastRealTolerance = 0.05;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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

// How much of the schedule is likely to fit the time, from a few steps and one validation that are then thrown away.
double share_that_fits(const TrainRequest& request, const Pairs& pairs, double seconds) {
  Training training(request, pairs);
  auto start = Clock::now();
  for (int64_t i = 0; i < kTrialSteps; ++i) training.advance();
  const double step = seconds_since(start) / static_cast<double>(kTrialSteps);
  start = Clock::now();
  training.model().eval();
  request.validate(training.model());
  const double validation = seconds_since(start);
  const TrainConfig& config = request.config;
  const auto most = static_cast<double>(config.steps + config.resets.patience);
  const double validations = most / static_cast<double>(config.validate_every);
  const double left = seconds - seconds_since(start) - validation * (validations + kConclusion);
  return std::clamp(left / (step * most), kLeastShare, 1.0);
}

// The loss of a prediction that is wrong in `cells` cells.
double loss_of_wrong(NeoImpl& model, int64_t cells) {
  const auto values = torch::arange(model.space().most_values());
  const auto one = torch::zeros({values.size(0), model.space().size()}, torch::kByte) + values.unsqueeze(1);
  auto& observation = model.observation();
  const auto prediction = observation.decode(observation.encode(one.to(torch::kByte)));
  const auto right = observation.readout().loss(prediction, one.to(torch::kByte)).mean().item<double>();
  const auto wrong = observation.readout().loss(prediction, one.flip(0).to(torch::kByte)).mean().item<double>();
  return right + wrong * static_cast<double>(cells) / static_cast<double>(model.space().size());
}

Policy with_tolerance(const Theory& theory, const Pairs& pairs) {
  Policy policy = theory.policy();
  torch::NoGradGuard no_grad;
  if (const int64_t noise = theory.model().config().executor.noise; noise > 0)
    policy.tolerance = loss_of_wrong(theory.model(), noise);
  if (theory.space().is_categorical()) return policy;
  auto& observation = theory.model().observation();
  const auto& y = pairs.y;
  const double floor = observation.readout().loss(observation.decode(observation.encode(y)), y).mean().item<double>();
  const double least = theory.space().kind == Kind::pixels ? kLeastPixelTolerance : kLeastRealTolerance;
  policy.tolerance = std::max(least, kToleratedLoss * floor);
  return policy;
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
  result.space = theory.space();
  result.structure = theory.model().config().executor.kind;
  result.held_out = PairReader(result.data).count(Part::held_out) > 0;
  result.score = theory.evaluate(pairs);
  if (!result.inspection.vocabulary.primitives.empty())
    result.primitiveness = result.inspection.vocabulary.primitiveness;
}

// A file of pairs stays where it is; anything else is imported into the run folder.
fs::path pairs_of_sources(const LearnOptions& options, LearnResult& result) {
  if (options.sources.size() == 1 && is_pair_file(options.sources[0])) return options.sources[0];
  ImportOptions import = options.import;
  import.sources = options.sources;
  import.out = result.run / kRunPairs;
  import.seed = options.seed;
  import.is_quiet = options.quiet;
  result.imported = import_pairs(import);
  return import.out;
}

// What can be found by counting. Codes that the user asked for cannot be counted.
std::shared_ptr<const Discovery> count_operations(const LearnOptions& options, LearnResult& result) {
  if (options.preset != kAuto || options.codes > 0) return {};
  if (!options.quiet) fmt::print(stderr, "counting what the pairs have in common (seconds to minutes)\n");
  auto found = discover_operations(load_pairs(result.data), load_evaluation_pairs(result.data), options.seed);
  if (!found) return {};
  result.trials = {{"none", 0, 0.0, found->baseline_bits},
                   {kCounted, static_cast<int64_t>(found->vocabulary.size()), found->explained, found->bits}};
  return std::make_shared<Discovery>(std::move(*found));
}

// What a pair takes with the theory that was trained: its program, or all of y where none explains it.
StructureTrial trial_of(const LearnResult& result, double baseline_bits) {
  const auto codes = static_cast<int64_t>(result.inspection.codes.size());
  const double name = std::log2(static_cast<double>(codes) + 1), explained = result.score.explained;
  return {result.structure, codes, explained,
          explained * name * (result.score.mean_length + 1) + (1 - explained) * (name + baseline_bits)};
}

// `found`: by counting, and to be trained with; null: the preset of the layout.
PreparedTraining first_training(const LearnOptions& options, LearnResult& result, Clock::time_point start,
                                std::shared_ptr<const Discovery> found) {
  TrainingOptions training{.data = result.data, .preset = options.preset == kAuto ? kFallback : options.preset,
                           .seed = options.seed, .run = result.run, .quiet = options.quiet};
  training.discovery = std::move(found);
  if (training.discovery) training.settings = {fmt::format("model.executor.kind={}", kCounted)};
  if (options.codes > 0) {  // as many as were asked for, whatever is found
    training.settings.push_back(fmt::format("model.quantizer.codes={}", options.codes));
    training.settings.push_back("latent_wake_sleep.start=noise");
  }
  PreparedTraining prepared = prepare_training(training);
  TrainConfig& config = prepared.request.config;
  if (result.trials.empty()) result.trials = prepared.trials;
  auto& width = config.model.quantizer.width;
  width = std::max(width, options.codes);  // orthogonal codes need as many dimensions
  config.batch = std::min(config.batch, prepared.pairs.size());
  if (options.minutes > 0) {
    shorten(config, share_that_fits(prepared.request, prepared.pairs, 60 * options.minutes - seconds_since(start)));
  }
  return prepared;
}

// What an earlier call was interrupted in.
PreparedTraining continued_training(const LearnOptions& options, LearnResult& result) {
  if (fs::exists(result.run / kLearned))
    fail_usage("{} already holds a theory; look at it with `neo inspect {}`, or choose another folder with --out",
               result.run.string(), result.run.string());
  const auto asked = read_manifest(result.run).options;
  if (asked.is_object()) result.data = asked.value("data", "");
  if (result.data.empty())
    fail_usage("{} holds a run of another kind; choose another folder with --out", result.run.string());
  return prepare_training({.run = result.run, .resume = true, .quiet = options.quiet});
}

// A run folder with nothing but its pairs.
void clear_run(const fs::path& run) {
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(run))
    if (entry.path().filename() != kRunPairs) old.push_back(entry.path());
  for (const fs::path& path : old) fs::remove_all(path);
}

// Where training explains little, what was counted is the theory after all if it says the pairs in fewer bits. An
// interrupted run comes to the same: counting is repeated.
void compare_with_counting(const LearnOptions& options, LearnResult& result, Clock::time_point start,
                           std::shared_ptr<const Discovery> found) {
  if (!result.space.is_categorical() || result.score.explained >= kSurelyTrained || result.structure == kCounted)
    return;
  if (!found) found = count_operations(options, result);
  if (!found || found->vocabulary.empty()) return;
  result.trials.push_back(trial_of(result, found->baseline_bits));
  if (found->bits >= result.trials.back().bits || found->bits >= found->baseline_bits) return;
  clear_run(result.run);
  const PreparedTraining again = first_training(options, result, start, std::move(found));
  train(again.request, again.pairs);
  conclude(result);
}

}  // namespace

bool LearnResult::is_theory() const {
  if (score.explained > kLeastExplained) return true;
  if (space.is_categorical() || score.error <= 0) return false;
  // Any few codes come nearer to any y, since the best of many programs is taken.
  const auto numbers = static_cast<double>(std::min(space.size(), kMostIndependent));
  const double codes = static_cast<double>(inspection.codes.size()) + 1;
  return numbers * std::log(score.identity / score.error) > (score.mean_length + 1) * std::log(codes);
}

nlohmann::json LearnResult::json() const {
  const auto optional = [](const std::optional<double>& value) -> nlohmann::json {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  };
  nlohmann::json tried = nlohmann::json::array();
  for (const StructureTrial& trial : trials)
    tried.push_back({{"structure", trial.structure}, {"codes", trial.codes}, {"explained", trial.explained},
                     {"bits", trial.bits}});
  nlohmann::json used = nlohmann::json::array();
  for (const CodeReport& report : inspection.codes) {
    if (report.usage > 0) used.push_back({{"code", report.code}, {"name", report.name}, {"usage", report.usage}});
  }
  return {{"run", run.string()},
          {"data", data.string()},
          {"space", to_json(space)},
          {"theory", is_theory()},
          {"structure", structure},
          {"trials", tried},
          {"codes", used.size()},
          {"vocabulary", used},
          {"explained", score.explained},
          {"error", score.error},
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
  result.run = options.run.empty() ? fs::path("runs") / name_of_path(options.sources.at(0)) : options.run;
  result.continued = holds_run(result.run);
  std::shared_ptr<const Discovery> found;
  if (!result.continued) {
    make_writable_folder(result.run);  // now, not after minutes of training
    result.data = pairs_of_sources(options, result);
    found = count_operations(options, result);
  }
  const PreparedTraining prepared =
      result.continued ? continued_training(options, result)
                       : first_training(options, result, start, found && found->is_theory() ? found : nullptr);
  train(prepared.request, prepared.pairs);
  conclude(result);
  compare_with_counting(options, result, start, std::move(found));
  result.seconds = seconds_since(start);
  write_file_atomically(result.run / kLearned, result.json().dump(2) + "\n");
  return result;
}

}  // namespace neo
