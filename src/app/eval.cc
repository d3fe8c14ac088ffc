#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/common.h"
#include "app/eval_search.h"
#include "app/examples.h"
#include "app/inference_cost.h"
#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "eval/diagnosis.h"
#include "eval/transfer.h"
#include "eval/vocabulary.h"
#include "train/methods.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
constexpr int64_t kVocabularyInputs = 1000;

struct EvalOptions : SearchFlags {
  fs::path model, out;
  std::string method;  // empty: the one it was trained by
  std::vector<fs::path> data;
  int64_t episodes = 0;
  bool soft = false;  // also without hard grounding
  bool diagnose = false;
  int64_t examples = 0;  // episodes per split to show in full
  bool json = false;
};

std::vector<fs::path> benchmark_files(const TheoryInfo& info) {
  std::vector<fs::path> files;
  for (const std::string& split : benchmark_splits(info.world, info.alpha))
    files.push_back(ensure_split(info.world, info.alpha, split));
  return files;
}

// A method that only judges differently leaves the record of the trained one alone.
std::string record_name(const TrainConfig& trained, const std::string& method) {
  return method == trained.method ? "eval.json" : "eval-" + method + ".json";
}

// Under which name a theory is judged.
std::string judged_as(const TrainConfig& trained, const EvalOptions& options) {
  const std::string name = options.method.empty() ? trained.method : options.method;
  if (method_named(name).trained_as != trained.method)
    fail_usage("{} is a {} theory; {} needs one trained with --method {}", options.model.string(),
               trained.method, name, method_named(name).trained_as);
  return name;
}

TransferOptions judging_of(const EpisodeSet& episodes, const TrainConfig& config,
                           const EvalOptions& options) {
  TransferOptions judging = judging_of(episodes, config);
  if (options.method == "cont-mono-opt")
    judging.refinement = {config.evaluation.refine_steps, config.evaluation.refine_rate};
  return judging;
}

SamplingOptions sampling_options(int64_t steps, const EvaluationConfig& config, const EvalOptions& options) {
  return {.draws = options.draws > 0 ? options.draws : config.draws,
          .steps = steps,
          .temperature = config.temperature};
}

void evaluate_split(NeoImpl& model, const EpisodeSet& episodes, const TransferOptions& judging,
                    const EvaluationConfig& config, const EvalOptions& options,
                    std::vector<SplitScore>& scores) {
  if (options.wants("greedy")) {
    TransferOptions greedy = judging;
    scores.push_back(evaluate_greedy(model, episodes, greedy));
    greedy.hard_grounding = !greedy.hard_grounding;
    if (options.soft) scores.push_back(evaluate_greedy(model, episodes, greedy));
  }
  if (!model.has_codes()) return;  // nothing to search over
  const auto searched = evaluate_searches(model, episodes, config, judging.steps, options);
  scores.insert(scores.end(), searched.begin(), searched.end());
}

void print_table(const std::vector<SplitScore>& scores, const Vocabulary& vocabulary) {
  fmt::print("{:<10} {:>8}  {:<13} {:<26} {:>6} {:>6} {:>6} {:>7} {:>5}  {:>7} {:>8} {:>7} {:>6}\n", "split",
             "episodes", "method", "search", "T", "budget", "calls", "used", "hard", "self", "transfer",
             "pass", "length");
  for (const SplitScore& s : scores) {
    fmt::print(
        "{:<10} {:>8}  {:<13} {:<26} {:>6} {:>6} {:>6} {:>7} {:>5}  {:>7.4f} {:>8.4f} {:>7.4f} {:>6.2f}\n",
        s.name, s.episodes, s.method, s.search, s.temperature > 0 ? fmt::format("{:g}", s.temperature) : "-",
        s.budget, s.calls, s.calls_used > 0 ? fmt::format("{:.1f}", s.calls_used) : "-",
        s.hard_grounding ? "on" : "off", s.self, s.transfer, s.pass, s.mean_length);
  }
  for (const SplitScore& s : scores) {
    if (s.floor > 0 && s.search == "greedy")
      fmt::print("{}: L1 of leaving the input as it is {:.4f}, of the observation model itself {:.4f}\n",
                 s.name, s.identity, s.floor);
  }
  if (vocabulary.primitives.empty()) return;
  fmt::print(
      "\nprimitiveness {:.4f}, purity {:.4f} on {} inputs; share of inputs where a code acts as a "
      "primitive:\n{:<10}",
      vocabulary.primitiveness, vocabulary.purity, vocabulary.inputs, "");
  for (const std::string& name : vocabulary.primitives) fmt::print(" {:>11}", name);
  fmt::print(" {:>11}\n", "no-op");
  for (size_t code = 0; code < vocabulary.alignment.size(); ++code) {
    fmt::print("code {:<5}", code);
    for (double value : vocabulary.alignment[code]) fmt::print(" {:>11.3f}", value);
    fmt::print(" {:>11.3f}\n", vocabulary.no_op[code]);
  }
}

void print_diagnosis(const nlohmann::json& d) {
  fmt::print(
      "\n{}: transfer as it is {:.4f}, with a perfect executor {:.4f}, with a perfect programmer {:.4f}\n",
      d["name"].get<std::string>(), d["transfer"].get<double>(), d["perfect_executor"].get<double>(),
      d["perfect_programmer"].get<double>());
  for (const auto& [primitive, by_length] : d["executor"].items()) {
    fmt::print("  {:<12} exact", primitive);
    for (const auto& bin : by_length) {
      fmt::print("  {} long {:.3f} ({})", bin["length"].get<int64_t>(), bin["exact"].get<double>(),
                 bin["inputs"].get<int64_t>());
    }
    fmt::print("\n");
  }
}

void run_eval(const EvalOptions& options) {
  auto [theory, config] = open_theory(options.model);
  const std::string method = judged_as(config, options);
  const auto files = options.data.empty() ? benchmark_files(theory.info) : options.data;
  std::vector<SplitScore> scores;
  nlohmann::json diagnoses = nlohmann::json::array();
  nlohmann::json examples = nlohmann::json::array(), timing;
  torch::Tensor inputs;
  for (const fs::path& file : files) {
    const EpisodeSet episodes =
        load_episodes(file, options.episodes > 0 ? options.episodes : config.evaluation.episodes);
    if (episodes.world != &theory.model->world()) {
      fail("{} holds {} episodes, the theory is of {}; choose matching files", file.string(),
           episodes.world->name(), theory.info.world);
    }
    if (!inputs.defined())
      inputs = episodes.support_x.narrow(0, 0, std::min(kVocabularyInputs, episodes.size()));
    const TransferOptions judging = judging_of(episodes, config, options);
    const SamplingOptions sampling = sampling_options(judging.steps, config.evaluation, options);
    if (episodes.name == "id")  // before anything else: what was encoded once is remembered
      timing = inference_cost(*theory.model, episodes, {judging, sampling, kBeamWidth, method});
    evaluate_split(*theory.model, episodes, judging, config.evaluation, options, scores);
    for (const auto& example :
         explained_examples(*theory.model, episodes, {judging, options.examples, sampling}))
      examples.push_back(example);
    if (options.diagnose) {
      TransferOptions hard = judging;
      hard.hard_grounding = true;
      diagnoses.push_back(to_json(diagnose(*theory.model, episodes, hard)));
    }
  }
  const Vocabulary vocabulary = inspect_vocabulary(*theory.model, inputs);
  nlohmann::json splits = nlohmann::json::array();
  for (SplitScore& score : scores) {
    score.method.replace(0, std::string_view("neo").size(), method);  // neo-s of disc-mono: disc-mono-s
    splits.push_back(to_json(score));
  }
  nlohmann::json report{{"model", options.model.string()},
                        {"world", theory.info.world},
                        {"method", method},
                        {"preset", theory.info.preset},
                        {"alpha", theory.info.alpha},
                        {"seed", theory.info.seed},
                        {"step", theory.info.step},
                        {"data_digest", theory.info.data_digest},
                        {"splits", splits},
                        {"vocabulary", to_json(vocabulary)}};
  if (options.diagnose) report["diagnosis"] = diagnoses;
  if (!examples.empty()) report["examples"] = examples;
  if (!timing.is_null()) report["timing"] = timing;
  if (fs::is_directory(options.model))
    report["manifest"] = nlohmann::json::parse(read_file(options.model / "manifest.json"));
  const fs::path out = !options.out.empty()              ? options.out
                       : fs::is_directory(options.model) ? options.model / record_name(config, method)
                                                         : fs::path("eval.json");
  write_file_atomically(out, report.dump(2) + "\n");
  if (options.json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print_table(scores, vocabulary);
    for (const auto& d : diagnoses) print_diagnosis(d);
    fmt::print("wrote {}\n", out.string());
  }
}

}  // namespace

void setup_eval(CLI::App& app) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command = app.add_subcommand(
      "eval", "Self-explanation, transfer, search by sampling, and the vocabulary of a theory");
  command->add_option("model", options->model, "A run folder or a weights file")->required();
  command->add_option(
      "--method", options->method,
      "How it is judged: cont-mono-opt refines a cont-mono theory on each support pair (default: "
      "as it was trained)");
  command->add_option(
      "--data", options->data,
      "Episode files, ours or of the official release (default: the benchmark's ID, comp and length OOD)");
  add_search_flags(*command, *options);
  command->add_option("--episodes", options->episodes, "Most episodes per file (default: the preset's)");
  command->add_flag("--soft", options->soft, "Also evaluate with hard grounding switched the other way");
  command->add_flag("--diagnose", options->diagnose,
                    "Tell which part fails: the executor by primitive and operand, the programmer with a "
                    "perfect executor, the executor with a perfect programmer");
  command
      ->add_option("--examples", options->examples,
                   "Put so many episodes of each split into the record, with every step")
      ->check(CLI::Range(0, 100));
  command->add_option("--out", options->out,
                      "Where to write the record (default: eval.json in the run folder, or here)");
  command->add_flag("--json", options->json, "Print the record as JSON");
  command->footer(
      "Example:\n  neo eval weights/gridworld-alpha0.33.safetensors\n  neo eval "
      "weights/arithmetic-alpha0.33.safetensors "
      "--search all --calls 6,24,96,384\n  neo eval runs/my-run --data other.h5 --json");
  command->callback([options] { run_eval(*options); });
}

}  // namespace neo
