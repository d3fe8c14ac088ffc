#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdlib>
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
  std::string episode;      // FILE:N or FILE:N,N,...
  std::string x, y, query;  // the user's own observations
  int64_t count = 1;
  fs::path png;
  bool json = false;
};

// What to explain: an episode's support pair with its query, or what the user wrote.
struct Pair {
  std::string name;
  Observation x, y;
  std::optional<Observation> query_x, query_y;
  std::string true_program;  // of an episode; for captions only
};

constexpr size_t kMostPairs = 100;  // at once: they share one picture

struct EpisodeRefs {
  fs::path file;
  std::vector<int64_t> indices;
};

EpisodeRefs parse_episodes(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, {0}};
  EpisodeRefs refs{text.substr(0, colon), {}};
  const char* const end = text.data() + text.size();
  for (const char* at = text.data() + colon; at != end;) {  // at the colon, or at a comma
    const auto [rest, error] = std::from_chars(at + 1, end, refs.indices.emplace_back());
    if (error != std::errc() || (rest != end && *rest != ','))
      fail_usage("'{}' names no episode; write FILE:NUMBER or FILE:NUMBER,NUMBER, for example id.h5:7", text);
    at = rest;
  }
  return refs;
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
  std::vector<Observation> query_trace;  // empty without a query
};

// What a program makes of an input step by step, x first: each of its beginnings is run as a program.
std::vector<Observation> trace_of(NeoImpl& model, const Observation& x, const std::vector<int64_t>& codes,
                                  bool hard_grounding) {
  const auto length = static_cast<int64_t>(codes.size());
  const Programs beginnings{torch::tensor(codes, torch::kLong).repeat({length + 1, 1}),
                            torch::arange(length + 1)};
  const auto states = execute(model, tensor_of(x).repeat({length + 1, 1}), beginnings, hard_grounding);
  std::vector<Observation> trace;
  for (int64_t k = 0; k <= length; ++k) trace.push_back(observation_of(states[k]));
  return trace;
}

Explained explain_pair(NeoImpl& model, const EvaluationConfig& config, const Pair& pair) {
  const Trajectory trajectory =
      induce(model, tensor_of(pair.x), tensor_of(pair.y), {config.length_steps, config.hard_grounding});
  const auto length = explanation_lengths(trajectory, Fallback::mdl, 1.0)[0].item<int64_t>();
  Explained found;
  found.exact = trajectory.exact[0][length - 1].item<bool>();
  found.trace.push_back(pair.x);
  for (int64_t k = 0; k < length; ++k) {
    found.codes.push_back(trajectory.codes[0][k].item<int64_t>());
    found.losses.push_back(trajectory.losses[0][k].item<double>());
    found.trace.push_back(observation_of(trajectory.hard[static_cast<size_t>(k)][0]));
  }
  if (pair.query_x) found.query_trace = trace_of(model, *pair.query_x, found.codes, config.hard_grounding);
  return found;
}

// Images are never met exactly; they are judged by their mean distance on [0, 1].
bool is_image(const World& world) { return world.shape().size() == 3; }

double l1(const Observation& a, const Observation& b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) total += std::abs(a[i] - b[i]);
  return total / (255.0 * static_cast<double>(a.size()));
}

nlohmann::json to_json(const World& world, const Explained& e, const Pair& pair) {
  nlohmann::json record{{"pair", pair.name},
                        {"program", e.codes},
                        {"losses", e.losses},
                        {"exact", e.exact},
                        {"trace", e.trace}};
  if (is_image(world)) record["l1"] = l1(e.trace.back(), pair.y);
  if (!pair.query_x) return record;
  record["query_trace"] = e.query_trace;
  record["query_prediction"] = e.query_trace.back();
  if (!pair.query_y) return record;
  if (is_image(world))
    record["query_l1"] = l1(e.query_trace.back(), *pair.query_y);
  else
    record["transfers"] = e.query_trace.back() == *pair.query_y;
  return record;
}

std::string explanation_verdict(const World& world, const Explained& e, const Pair& pair) {
  if (is_image(world)) return fmt::format("L1 {:.3f}", l1(e.trace.back(), pair.y));
  return e.exact ? "explains y exactly" : "closest found";
}

// Empty when nobody knows what the program should have made of the query.
std::string transfer_verdict(const World& world, const Explained& e, const Pair& pair) {
  if (!pair.query_y) return "";
  if (is_image(world)) return fmt::format(" (L1 {:.3f})", l1(e.query_trace.back(), *pair.query_y));
  return e.query_trace.back() == *pair.query_y ? " (right)" : " (wrong)";
}

std::vector<std::string> code_names(const std::vector<int64_t>& codes) {
  std::vector<std::string> names;
  for (int64_t code : codes) names.push_back(fmt::format("z{}", code));
  return names;
}

void print(const World& world, const Explained& e, const Pair& pair, bool drawings) {
  const bool colour = wants_colour();
  fmt::print("{}: program {} ({} step{}, {})\n", pair.name, fmt::join(code_names(e.codes), " "),
             e.codes.size(), e.codes.size() == 1 ? "" : "s", explanation_verdict(world, e, pair));
  if (drawings) fmt::print("{}", terminal_row(world, e.trace, colour));
  if (!pair.query_x) return;
  fmt::print("the same program on another input{}\n", transfer_verdict(world, e, pair));
  if (drawings) fmt::print("{}\n", terminal_row(world, {*pair.query_x, e.query_trace.back()}, colour));
}

void add_strips(const World& world, const Explained& e, const Pair& pair, std::vector<Strip>& strips) {
  const std::string truth = pair.true_program.empty() ? "" : ": true program " + pair.true_program;
  strips.push_back({fmt::format("{}{} ({})", pair.name, truth, explanation_verdict(world, e, pair)), e.trace,
                    code_names(e.codes), pair.y});
  if (!pair.query_x) return;
  strips.push_back({"the same program on another input" + transfer_verdict(world, e, pair), e.query_trace,
                    code_names(e.codes), pair.query_y});
}

std::vector<Pair> pairs_of_episodes(const ExplainOptions& options, const LoadedTheory& theory) {
  const EpisodeRefs refs = options.episode.empty()
                               ? EpisodeRefs{ensure_split(theory.info.world, theory.info.alpha, "id"), {0}}
                               : parse_episodes(options.episode);
  if (refs.indices.size() * static_cast<size_t>(options.count) > kMostPairs)
    fail_usage("more than {} episodes at once; ask for fewer", kMostPairs);
  EpisodeReader reader(refs.file);
  if (&reader.world() != &theory.model->world()) {
    fail("{} holds {} episodes, the theory is of {}; choose matching files", refs.file.string(),
         reader.info().world, theory.info.world);
  }
  std::vector<Pair> pairs;
  for (int64_t first : refs.indices) {
    for (int64_t i = 0; i < options.count; ++i) {
      const Episode e = reader.episode(first + i);
      pairs.push_back({fmt::format("episode {}", first + i), e.support_x, e.support_y, e.query_x, e.query_y,
                       reader.world().program_text(e.program)});
    }
  }
  return pairs;
}

Observation given_observation(const World& world, const std::string& text) {
  std::string note;
  Observation observation = parse_observation(world, text, &note);
  if (!note.empty()) fmt::print(stderr, "neo: {}\n", note);
  return observation;
}

Pair given_pair(const ExplainOptions& options, const World& world) {
  if (options.x.empty() || options.y.empty()) fail_usage("a pair needs both --x and --y");
  Pair pair{"pair", given_observation(world, options.x), given_observation(world, options.y), {}, {}, {}};
  if (!options.query.empty()) pair.query_x = given_observation(world, options.query);
  return pair;
}

void run_explain(const ExplainOptions& options) {
  auto [theory, config] = open_theory(options.model);
  const World& world = theory.model->world();
  const bool given = !options.x.empty() || !options.y.empty();
  std::vector<Strip> strips;
  for (const Pair& pair :
       given ? std::vector<Pair>{given_pair(options, world)} : pairs_of_episodes(options, theory)) {
    const Explained found = explain_pair(*theory.model, config.evaluation, pair);
    if (options.json)
      fmt::print("{}\n", to_json(world, found, pair).dump());
    else
      print(world, found, pair, /*drawings=*/options.png.empty());
    if (!options.png.empty()) add_strips(world, found, pair, strips);
  }
  if (options.png.empty()) return;
  draw_strips(world, strips).write_png(options.png);
  if (!options.json) fmt::print("wrote {}\n", options.png.string());
}

}  // namespace

void setup_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Show the program that a theory finds for a pair, step by step");
  command->add_option("model", options->model, "A run folder or a weights file")->required();
  auto* x = command->add_option(
      "--x", options->x,
      "The observation before: a number, 100 cells, @FILE with those, or a 32x32 PNG file");
  auto* y = command->add_option("--y", options->y, "The observation after");
  command->add_option("--query", options->query, "Another input to run the program on")->needs(x)->needs(y);
  command->add_option("--episode", options->episode, "FILE:N or FILE:N,N,... (default: the first ID episode)")
      ->excludes(x)
      ->excludes(y);
  command->add_option("--count", options->count, "How many episodes from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--png", options->png,
                      "Draw x, what each code makes of it, and y into this file, instead of on the terminal");
  command->add_flag("--json", options->json, "One JSON object per episode");
  command->footer(
      "Example:\n"
      "  neo explain weights/gridworld-alpha0.33.safetensors --episode data/gridworld-alpha0.33/comp.h5:3\n"
      "  neo explain weights/arithmetic-alpha0.33.safetensors --x 12 --y 420 --query 7\n"
      "  neo explain runs/imaging --x before.png --y after.png --query other.png\n"
      "  neo explain runs/imaging --episode data/imaging-alpha0.33/comp.h5:0,1000,2000 --png figure.png");
  command->callback([options] { run_explain(*options); });
}

}  // namespace neo
