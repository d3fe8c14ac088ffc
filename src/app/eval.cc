#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/common.h"
#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "eval/diagnosis.h"
#include "eval/transfer.h"
#include "eval/vocabulary.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
constexpr int64_t kVocabularyInputs = 1000;
constexpr int64_t kBeamWidth = 24;  // of the search over images

struct EvalOptions {
  fs::path model, out;
  std::vector<fs::path> data;
  std::string search = "both";  // greedy, sample, both
  int64_t draws = 0;
  int64_t episodes = 0;
  std::vector<double> temperatures;
  bool soft = false;  // also without hard grounding
  bool diagnose = false;
  uint64_t seed = 42;
  bool json = false;
};

std::vector<fs::path> benchmark_files(const TheoryInfo& info) {
  std::vector<fs::path> files{ensure_split(info.world, info.alpha, "id")};
  if (info.alpha < 1.0) files.push_back(ensure_split(info.world, info.alpha, "comp"));
  files.push_back(ensure_split(info.world, info.alpha, "length"));
  return files;
}

int64_t steps_for(const EpisodeSet& episodes, const EvaluationConfig& config) {
  const bool longer = episodes.name == "length" || episodes.longest_program > config.steps;
  return longer ? config.length_steps : config.steps;
}

void evaluate_split(NeoImpl& model, const EpisodeSet& episodes, const EvaluationConfig& config,
                    const EvalOptions& options, std::vector<SplitScore>& scores) {
  const int64_t steps = steps_for(episodes, config);
  const Fallback fallback = fallback_named(config.fallback);
  if (options.search != "sample") {
    scores.push_back(evaluate_greedy(model, episodes, {steps, config.hard_grounding, fallback}));
    if (options.soft)
      scores.push_back(evaluate_greedy(model, episodes, {steps, !config.hard_grounding, fallback}));
  }
  if (options.search != "greedy" && !model.observation().readout().is_categorical()) {
    scores.push_back(evaluate_latent_beam(model, episodes, steps, kBeamWidth));
  } else if (options.search != "greedy") {
    const auto temperatures =
        options.temperatures.empty() ? std::vector<double>{config.temperature} : options.temperatures;
    for (double temperature : temperatures) {
      SamplingOptions sampling{.draws = options.draws > 0 ? options.draws : config.draws,
                               .steps = steps,
                               .temperature = temperature};
      sampling.budgets.clear();
      for (int64_t budget = 1; budget < sampling.draws; budget *= 2) sampling.budgets.push_back(budget);
      sampling.budgets.push_back(sampling.draws);
      const auto sampled = evaluate_sampling(model, episodes, sampling, options.seed);
      scores.insert(scores.end(), sampled.begin(), sampled.end());
    }
  }
}

void print_table(const std::vector<SplitScore>& scores, const Vocabulary& vocabulary) {
  fmt::print("{:<14} {:>8}  {:<7} {:>6} {:>6} {:>6} {:>5}  {:>7} {:>8} {:>7} {:>6}\n", "split", "episodes",
             "method", "T", "budget", "calls", "hard", "self", "transfer", "pass", "length");
  for (const SplitScore& s : scores) {
    fmt::print("{:<14} {:>8}  {:<7} {:>6} {:>6} {:>6} {:>5}  {:>7.4f} {:>8.4f} {:>7.4f} {:>6.2f}\n", s.name,
               s.episodes, s.method, s.temperature > 0 ? fmt::format("{:g}", s.temperature) : "-", s.budget,
               s.calls, s.hard_grounding ? "on" : "off", s.self, s.transfer, s.pass, s.mean_length);
  }
  for (const SplitScore& s : scores) {
    if (s.floor > 0 && s.search == "greedy")
      fmt::print("{}: L1 of leaving the input as it is {:.4f}, of the observation model itself {:.4f}\n",
                 s.name, s.identity, s.floor);
  }
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
  const auto files = options.data.empty() ? benchmark_files(theory.info) : options.data;
  std::vector<SplitScore> scores;
  nlohmann::json diagnoses = nlohmann::json::array();
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
    evaluate_split(*theory.model, episodes, config.evaluation, options, scores);
    if (options.diagnose) {
      diagnoses.push_back(to_json(diagnose(
          *theory.model, episodes,
          {steps_for(episodes, config.evaluation), true, fallback_named(config.evaluation.fallback)})));
    }
  }
  const Vocabulary vocabulary = inspect_vocabulary(*theory.model, inputs);
  nlohmann::json splits = nlohmann::json::array();
  for (const SplitScore& score : scores) splits.push_back(to_json(score));
  nlohmann::json report{{"model", options.model.string()},
                        {"world", theory.info.world},
                        {"preset", theory.info.preset},
                        {"alpha", theory.info.alpha},
                        {"seed", theory.info.seed},
                        {"step", theory.info.step},
                        {"data_digest", theory.info.data_digest},
                        {"splits", splits},
                        {"vocabulary", to_json(vocabulary)}};
  if (options.diagnose) report["diagnosis"] = diagnoses;
  if (fs::is_directory(options.model))
    report["manifest"] = nlohmann::json::parse(read_file(options.model / "manifest.json"));
  const fs::path out = !options.out.empty()              ? options.out
                       : fs::is_directory(options.model) ? options.model / "eval.json"
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
      "--data", options->data,
      "Episode files, ours or of the official release (default: the benchmark's ID, comp and length OOD)");
  command->add_option("--search", options->search, "greedy, sample (NEO-S) or both")
      ->check(CLI::IsMember({"greedy", "sample", "both"}))
      ->capture_default_str();
  command->add_option("--draws", options->draws, "NEO-S: programs drawn per episode (default: the preset's)")
      ->check(CLI::Range(1, 1 << 16));
  command
      ->add_option("--temperature", options->temperatures,
                   "NEO-S: sampling temperature, or several with commas for a sweep (default: the preset's)")
      ->delimiter(',')
      ->check(CLI::Range(1e-6, 1e6));
  command->add_option("--episodes", options->episodes, "Most episodes per file (default: the preset's)");
  command->add_flag("--soft", options->soft, "Also evaluate with hard grounding switched the other way");
  command->add_flag("--diagnose", options->diagnose,
                    "Tell which part fails: the executor by primitive and operand, the programmer with a "
                    "perfect executor, the executor with a perfect programmer");
  command->add_option("--seed", options->seed, "Seed of the sampling")->capture_default_str();
  command->add_option("--out", options->out,
                      "Where to write the record (default: eval.json in the run folder, or here)");
  command->add_flag("--json", options->json, "Print the record as JSON");
  command->footer(
      "Example:\n  neo eval weights/gridworld-alpha0.33.safetensors\n  neo eval runs/my-run --data other.h5 "
      "--json");
  command->callback([options] { run_eval(*options); });
}

}  // namespace neo
