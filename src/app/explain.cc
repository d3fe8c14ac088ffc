#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/commands.h"
#include "app/common.h"
#include "core/config.h"
#include "core/error.h"
#include "core/terminal.h"
#include "eval/episodes.h"
#include "model/weights.h"
#include "rollout/rollout.h"
#include "worlds/draw.h"
#include "worlds/parse.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct ExplainOptions {
  fs::path model;
  std::string episode;  // FILE:N
  std::string x, y, query;  // written observations
  int64_t count = 1;
  bool json = false;
};

// What to explain: an episode's support pair with its query, or what the user wrote.
struct Pair {
  std::string name;
  Observation x, y;
  std::optional<Observation> query_x, query_y;
};

struct EpisodeRef {
  fs::path file;
  int64_t index = 0;
};

EpisodeRef parse_episode(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, 0};
  try {
    return {text.substr(0, colon), std::stoll(text.substr(colon + 1))};
  } catch (const std::logic_error&) {
    fail_usage("'{}' names no episode; write FILE:NUMBER, for example id.h5:7", text);
  }
}

Observation observation_of(const torch::Tensor& row) {
  const auto plain = row.contiguous();
  return {plain.data_ptr<uint8_t>(), plain.data_ptr<uint8_t>() + plain.numel()};
}

torch::Tensor tensor_of(const Observation& observation) {
  return torch::tensor(std::vector<uint8_t>(observation), torch::kUInt8).unsqueeze(0);
}

// The program found for a pair, and what it makes of another input if there is one.
struct Explained {
  std::vector<int64_t> codes;
  std::vector<double> losses;      // after each step
  std::vector<Observation> trace;  // x first
  bool exact = false;
  std::optional<Observation> predicted;
};

Explained explain_pair(NeoImpl& model, const EvaluationConfig& config, const Pair& pair) {
  const Trajectory trajectory =
      induce(model, tensor_of(pair.x), tensor_of(pair.y), {config.length_steps, config.hard_grounding});
  const Programs programs{trajectory.codes, explanation_lengths(trajectory, Fallback::mdl, 1.0)};
  const auto length = programs.lengths[0].item<int64_t>();
  Explained found;
  found.exact = trajectory.exact[0][length - 1].item<bool>();
  found.trace.push_back(pair.x);
  for (int64_t k = 0; k < length; ++k) {
    found.codes.push_back(trajectory.codes[0][k].item<int64_t>());
    found.losses.push_back(trajectory.losses[0][k].item<double>());
    found.trace.push_back(observation_of(trajectory.hard[static_cast<size_t>(k)][0]));
  }
  if (pair.query_x)
    found.predicted = observation_of(execute(model, tensor_of(*pair.query_x), programs, config.hard_grounding)[0]);
  return found;
}

nlohmann::json to_json(const Explained& e, const Pair& pair) {
  nlohmann::json record{{"pair", pair.name}, {"program", e.codes}, {"losses", e.losses}, {"exact", e.exact}, {"trace", e.trace}};
  if (e.predicted) record["query_prediction"] = *e.predicted;
  if (e.predicted && pair.query_y) record["transfers"] = *e.predicted == *pair.query_y;
  return record;
}

void print(const World& world, const Explained& e, const Pair& pair) {
  const bool colour = wants_colour();
  std::string program;
  for (int64_t code : e.codes) program += fmt::format("{}z{}", program.empty() ? "" : " ", code);
  fmt::print("{}: program {} ({} step{}, {})\n{}", pair.name, program, e.codes.size(),
             e.codes.size() == 1 ? "" : "s", e.exact ? "explains y exactly" : "closest found",
             terminal_row(world, e.trace, colour));
  if (!e.predicted) return;
  const char* verdict = !pair.query_y ? "" : *e.predicted == *pair.query_y ? " (right)" : " (wrong)";
  fmt::print("the same program on another input{}\n{}\n", verdict,
             terminal_row(world, {*pair.query_x, *e.predicted}, colour));
}

std::vector<Pair> pairs_of_episodes(const ExplainOptions& options, const LoadedTheory& theory) {
  const EpisodeRef ref = options.episode.empty()
                             ? EpisodeRef{ensure_split(theory.info.world, theory.info.alpha, "id"), 0}
                             : parse_episode(options.episode);
  EpisodeReader reader(ref.file);
  if (&reader.world() != &theory.model->world()) {
    fail("{} holds {} episodes, the theory is of {}; choose matching files", ref.file.string(),
         reader.info().world, theory.info.world);
  }
  std::vector<Pair> pairs;
  for (int64_t i = ref.index; i < ref.index + options.count; ++i) {
    const Episode e = reader.episode(i);
    pairs.push_back({fmt::format("episode {}", i), e.support_x, e.support_y, e.query_x, e.query_y});
  }
  return pairs;
}

Pair written_pair(const ExplainOptions& options, const World& world) {
  if (options.x.empty() || options.y.empty()) fail_usage("a pair needs both --x and --y");
  Pair pair{"pair", parse_observation(world, options.x), parse_observation(world, options.y), {}, {}};
  if (!options.query.empty()) pair.query_x = parse_observation(world, options.query);
  return pair;
}

void run_explain(const ExplainOptions& options) {
  auto [theory, config] = open_theory(options.model);
  const World& world = theory.model->world();
  const bool written = !options.x.empty() || !options.y.empty();
  for (const Pair& pair : written ? std::vector<Pair>{written_pair(options, world)} : pairs_of_episodes(options, theory)) {
    const Explained found = explain_pair(*theory.model, config.evaluation, pair);
    if (options.json) fmt::print("{}\n", to_json(found, pair).dump());
    else print(world, found, pair);
  }
}

}  // namespace

void setup_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Show the program that a theory finds for a pair, step by step");
  command->add_option("model", options->model, "A run folder or a weights file")->required();
  command->add_option("--x", options->x, "The observation before: a number, 100 cells, or @FILE");
  command->add_option("--y", options->y, "The observation after");
  command->add_option("--query", options->query, "Another input to run the program on");
  command->add_option("--episode", options->episode, "FILE:N (default: the first ID episode)");
  command->add_option("--count", options->count, "How many episodes from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object per episode");
  command->footer(
      "Example:\n  neo explain weights/gridworld-alpha0.33.safetensors --episode "
      "data/gridworld-alpha0.33/comp.h5:3\n  neo explain weights/arithmetic-alpha0.33.safetensors --x 12 --y 420 "
      "--query 7");
  command->callback([options] { run_explain(*options); });
}

}  // namespace neo
