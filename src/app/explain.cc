#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/common.h"
#include "core/config.h"
#include "core/error.h"
#include "core/terminal.h"
#include "eval/episodes.h"
#include "model/weights.h"
#include "rollout/rollout.h"
#include "worlds/draw.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct ExplainOptions {
  fs::path model;
  std::string episode;  // FILE:N
  int64_t count = 1;
  bool json = false;
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

void explain_episode(NeoImpl& model, const EvaluationConfig& config, const Episode& episode, int64_t index,
                     bool json) {
  const auto x = tensor_of(episode.support_x);
  const auto y = tensor_of(episode.support_y);
  const Trajectory trajectory = induce(model, x, y, {config.length_steps, config.hard_grounding});
  const Programs programs{trajectory.codes, explanation_lengths(trajectory, Fallback::mdl, 1.0)};
  const auto length = programs.lengths[0].item<int64_t>();
  const bool exact = trajectory.exact[0][length - 1].item<bool>();
  const auto predicted =
      observation_of(execute(model, tensor_of(episode.query_x), programs, config.hard_grounding)[0]);
  std::vector<int64_t> codes;
  std::vector<double> losses;
  std::vector<Observation> trace{episode.support_x};
  for (int64_t k = 0; k < length; ++k) {
    codes.push_back(trajectory.codes[0][k].item<int64_t>());
    losses.push_back(trajectory.losses[0][k].item<double>());
    trace.push_back(observation_of(trajectory.hard[static_cast<size_t>(k)][0]));
  }
  if (json) {
    fmt::print("{}\n", nlohmann::json({{"episode", index},
                                       {"program", codes},
                                       {"losses", losses},
                                       {"exact", exact},
                                       {"trace", trace},
                                       {"query_prediction", predicted},
                                       {"transfers", predicted == episode.query_y}})
                           .dump());
    return;
  }
  const bool colour = wants_colour();
  std::string program;
  for (int64_t code : codes) program += fmt::format("{}z{}", program.empty() ? "" : " ", code);
  fmt::print("episode {}: program {} ({} step{}, {})\n{}", index, program, length, length == 1 ? "" : "s",
             exact ? "explains y exactly" : "closest found", terminal_row(model.world(), trace, colour));
  fmt::print("the same program on another input ({})\n{}\n", predicted == episode.query_y ? "right" : "wrong",
             terminal_row(model.world(), {episode.query_x, predicted}, colour));
}

void run_explain(const ExplainOptions& options) {
  auto [theory, config] = open_theory(options.model);
  const EpisodeRef ref = options.episode.empty()
                             ? EpisodeRef{ensure_split(theory.info.world, theory.info.alpha, "id"), 0}
                             : parse_episode(options.episode);
  EpisodeReader reader(ref.file);
  if (&reader.world() != &theory.model->world()) {
    fail("{} holds {} episodes, the theory is of {}; choose matching files", ref.file.string(),
         reader.info().world, theory.info.world);
  }
  for (int64_t i = 0; i < options.count; ++i)
    explain_episode(*theory.model, config.evaluation, reader.episode(ref.index + i), ref.index + i,
                    options.json);
}

}  // namespace

void setup_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Show the program that a theory finds for a pair, step by step");
  command->add_option("model", options->model, "A run folder or a weights file")->required();
  command->add_option("--episode", options->episode, "FILE:N (default: the first ID episode)");
  command->add_option("--count", options->count, "How many episodes from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_flag("--json", options->json, "One JSON object per episode");
  command->footer(
      "Example:\n  neo explain weights/gridworld-alpha0.33.safetensors --episode "
      "data/gridworld-alpha0.33/comp.h5:3");
  command->callback([options] { run_explain(*options); });
}

}  // namespace neo
