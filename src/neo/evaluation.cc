#include "neo/evaluation.h"

#include <algorithm>

#include "benchmark/methods.h"
#include "benchmark/split_files.h"
#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "neo/examples.h"
#include "neo/inference_cost.h"
#include "neo/training.h"
#include "observe/tensors.h"
#include "train/presets.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr int64_t kVocabularyInputs = 1000;

std::vector<fs::path> files_of(const EvaluationOptions& options, const Theory& theory) {
  if (!options.data.empty()) return options.data;
  std::vector<fs::path> files;
  const TheoryInfo& info = theory.info();
  if (const Benchmark* benchmark = theory.benchmark()) {
    for (const std::string& split : benchmark->splits(info.alpha))
      files.push_back(ensure_split(*benchmark, info.alpha, split));
    return files;
  }
  if (holds_run(options.model)) {
    const auto asked = read_manifest(options.model).options;
    if (asked.is_object() && asked.contains("data")) return {asked.at("data").get<std::string>()};
  }
  fail_usage("{} is a theory of own data; name pairs to evaluate it on with --data FILE.h5", options.model.string());
}

// Under which name a theory is evaluated.
std::string method_of(const TrainConfig& trained, const EvaluationOptions& options) {
  const std::string name = options.method.empty() ? trained.method : options.method;
  if (method_named(name).trained_as != trained.method)
    fail_usage("{} is a {} theory; {} needs one trained with --method {}", options.model.string(),
               trained.method, name, method_named(name).trained_as);
  return name;
}

// By the theory's own policy first, then by what else was asked for.
std::vector<EvaluationPass> passes_of(NeoImpl& model, const Episodes& episodes, const Policy& policy,
                                      const EvaluationOptions& options) {
  std::vector<EvaluationPass> passes;
  const auto add = [&](const std::string& search, bool hard_grounding) {
    Policy other = policy;
    other.search = search;
    other.hard_grounding = hard_grounding;
    passes.push_back([other, &model, &episodes](Progress& progress) {
      return std::vector{evaluate_policy(model, episodes, other, &progress)};
    });
  };
  const bool beams = model.has_codes() && policy.search == "beam";
  if (options.wants("policy")) add(policy.search, policy.hard_grounding);
  if (options.wants("greedy") && (beams || !options.wants("policy"))) add("greedy", policy.hard_grounding);
  if (options.soft) add("greedy", !policy.hard_grounding);
  // Where nothing is ever exact, a beam takes the place of sampling.
  const bool wants_beam =
      options.wants("beam") || (options.wants("sample") && !model.space().is_categorical());
  if (wants_beam && model.has_codes() && !(beams && options.wants("policy"))) add("beam", policy.hard_grounding);
  for (EvaluationPass& pass : search_passes(model, episodes, policy, options)) passes.push_back(std::move(pass));
  return passes;
}

void evaluate_split(NeoImpl& model, const Episodes& episodes, const Policy& policy, const EvaluationOptions& options,
                    std::vector<SplitScore>& scores) {
  const auto passes = passes_of(model, episodes, policy, options);
  Progress progress("evaluating " + episodes.name, std::ssize(passes) * episodes.size(), progress_style(options.quiet));
  for (const EvaluationPass& pass : passes) {
    const auto more = pass(progress);
    scores.insert(scores.end(), more.begin(), more.end());
  }
  progress.finish();
}

// Settings that are not those of the run's preset, with the run's values.
nlohmann::json changes(const nlohmann::json& own, const nlohmann::json& preset) {
  nlohmann::json changed = nlohmann::json::object();
  for (const auto& [key, value] : own.items()) {
    const nlohmann::json usual = preset.value(key, nlohmann::json());
    if (value == usual) continue;
    const nlohmann::json different = value.is_object() && usual.is_object() ? changes(value, usual) : value;
    changed[key] = different;
  }
  return changed;
}

// Null where there is no such preset any more.
nlohmann::json changes_from_preset(const Theory& theory, const TrainConfig& trained) {
  const TheoryInfo& info = theory.info();
  const std::string preset = preset_of_method(info.preset, trained.method);
  std::string family = info.benchmark;
  if (preset_names(family).empty()) family = layout_name(theory.space().layout);
  const auto known = preset_names(family);
  if (std::ranges::find(known, preset) == known.end()) return nullptr;
  return changes(to_json(trained), to_json(resolve_config(family, preset, info.alpha, {}, {})));
}

nlohmann::json record_of(const EvaluationOptions& options, const Theory& theory, const TrainConfig& trained,
                         const std::string& method, const EvaluationResult& result) {
  nlohmann::json splits = nlohmann::json::array(), diagnoses = nlohmann::json::array();
  for (const SplitScore& score : result.scores) splits.push_back(to_json(score));
  for (const Diagnosis& diagnosis : result.diagnoses) diagnoses.push_back(to_json(diagnosis));
  const TheoryInfo& info = theory.info();
  nlohmann::json record{{"model", options.model.string()},
                        {"benchmark", info.benchmark},
                        {"source", info.source},
                        {"space", to_json(theory.space())},
                        {"method", method},
                        {"preset", info.preset},
                        {"alpha", info.alpha},
                        {"grouped", info.grouped},
                        {"seed", info.seed},
                        {"step", info.step},
                        {"data_digest", info.data_digest},
                        {"policy", to_json(info.policy)},
                        {"splits", splits},
                        {"vocabulary", to_json(result.vocabulary)}};
  record["settings"] = to_json(trained);
  if (theory.benchmark()) record["changed"] = changes_from_preset(theory, trained);
  if (options.diagnose) record["diagnosis"] = diagnoses;
  if (fs::is_directory(options.model))
    record["manifest"] = nlohmann::json::parse(read_file(options.model / "manifest.json"));
  return record;
}

}  // namespace

EvaluationResult evaluate(const EvaluationOptions& options) {
  const Theory theory = Theory::open(options.model);
  NeoImpl& model = theory.model();
  TrainConfig config;
  load_toml_text(config, theory.info().settings, options.model.string());
  const std::string method = method_of(config, options);
  EvaluationResult result;
  nlohmann::json examples = nlohmann::json::array(), timing;
  for (const fs::path& file : files_of(options, theory)) {
    const Pairs pairs =
        load_evaluation_pairs(file, options.episodes > 0 ? options.episodes : config.evaluated);
    require_fit(pairs, theory.space());
    const Episodes episodes = episodes_of(pairs);
    Policy policy = theory.policy_for(pairs.benchmark, pairs.name);
    if (options.draws > 0) policy.draws = options.draws;
    if (options.tolerance >= 0) policy.tolerance = options.tolerance;
    if (!episodes.has_queries() && options.needs_queries())
      fail_usage("--search {} chooses between programs by what they do on another pair of the group, and {} has no "
                 "groups; use --search policy, greedy or beam",
                 options.search, file.string());
    if (method == "cont-mono-opt") policy.refine = true;
    if (result.vocabulary.primitives.empty()) {
      const auto inputs = evenly_spread(episodes.support_x, kVocabularyInputs);
      result.vocabulary = theory.benchmark() || episodes.programs.empty()
                              ? inspect_vocabulary(model, inputs, theory.benchmark())
                              : vocabulary_of_named_pairs(model, episodes);
    }
    if (timing.is_null() && theory.benchmark() && episodes.has_queries())  // before anything else: what was encoded once is remembered
      timing = inference_cost(model, episodes, {policy, theory.benchmark()->paper_batch(), method});
    evaluate_split(model, episodes, policy, options, result.scores);
    if (options.programs) {
      const auto found = found_programs(model, episodes, policy);
      result.programs.insert(result.programs.end(), found.begin(), found.end());
    }
    for (const auto& example : explained_examples(model, theory.view(), episodes, {policy, options.examples}))
      examples.push_back(example);
    if (options.diagnose && (!theory.benchmark() || episodes.programs.empty() || !episodes.has_queries()))
      fail_usage("--diagnose compares with true programs; {} has none, or no groups: leave it out", file.string());
    if (options.diagnose)
      result.diagnoses.push_back(diagnose(model, episodes, policy, *theory.benchmark()));
  }
  for (SplitScore& score : result.scores)
    score.method.replace(0, std::string_view("neo").size(), method);  // neo-s of disc-mono: disc-mono-s
  result.record = record_of(options, theory, config, method, result);
  if (!examples.empty()) result.record["examples"] = examples;
  if (!timing.is_null()) result.record["timing"] = timing;
  result.record_name = method == config.method ? "eval.json" : "eval-" + method + ".json";
  return result;
}

}  // namespace neo
