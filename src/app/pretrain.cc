#include "observe/pretrain.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/common.h"
#include "core/config.h"
#include "core/error.h"
#include "eval/episodes.h"
#include "model/weights.h"
#include "train/pairs.h"
#include "train/presets.h"

namespace neo {
namespace {

struct PretrainOptions {
  std::string world;
  std::string preset = "fast";
  uint64_t seed = 42;
  std::filesystem::path out;
  std::vector<std::string> assignments;
  std::string device = "cpu";
  bool json = false;
};

// Every observation of an episode file on its own, [4 episodes, N].
torch::Tensor single_observations(const std::filesystem::path& path) {
  const PairSet pairs = load_pairs(path);
  return torch::cat({pairs.x, pairs.y});
}

// At most so many of the rows, evenly spread; 0: all.
torch::Tensor some_of(const torch::Tensor& rows, int64_t most) {
  if (most <= 0 || most >= rows.size(0)) return rows;
  return rows.index_select(0, (torch::arange(most) * rows.size(0)).div(most, "floor"));
}

PretrainConfig default_pretraining(const std::string& kind) {
  if (kind == "tokens" || kind == "digits") return {.steps = 600, .batch = 64, .rate = 2e-2};
  // The paper's schedule, 500 passes over 1.74 million images: days, and only on a GPU.
  if (kind == "residual-vae") return {.steps = 1699500, .batch = 512, .rate = 5e-4};
  return {};
}

torch::Device device_for(const std::string& name, const std::string& kind) {
  if (name == "cpu") return torch::kCPU;
  // The kernels that read categorical predictions, and the closed form of the linear model, are for the CPU.
  if (kind != "residual-vae")
    fail_usage("the observation model '{}' trains on the CPU, in minutes; leave out --device", kind);
  if (!torch::cuda::is_available())
    fail(
        "this LibTorch finds no CUDA device; use --device cpu, or a CUDA build of LibTorch on a machine with "
        "an NVIDIA GPU");
  return torch::kCUDA;
}

// Reconstruction of plain images, and of edited ones by the length of the program that edited them.
void print_by_length(ObservationModel& model, const std::filesystem::path& path, int64_t most) {
  const EpisodeSet set = load_episodes(path, std::numeric_limits<int64_t>::max());
  fmt::print("plain: {:.4f}\n", reconstruction(model, some_of(set.support_x, most)));
  for (int64_t length = 1; length <= set.longest_program; ++length) {
    std::vector<int64_t> rows;
    for (size_t i = 0; i < set.programs.size(); ++i) {
      if (static_cast<int64_t>(set.programs[i].size()) == length) rows.push_back(static_cast<int64_t>(i));
    }
    if (rows.empty()) continue;
    fmt::print("edited by {}: {:.4f}\n", length,
               reconstruction(
                   model, set.support_y.index_select(0, some_of(torch::tensor(rows, torch::kLong), most))));
  }
}

void run_pretrain(const PretrainOptions& options) {
  const TrainConfig config = load_preset(options.world, options.preset, 1.0);
  const std::string& kind = config.model.observation.kind;
  const torch::Device device = device_for(options.device, kind);
  PretrainConfig pretraining = default_pretraining(kind);
  for (const std::string& assignment : options.assignments) set_assignment(pretraining, assignment);
  const World& world = world_named(options.world);
  const auto train = single_observations(ensure_split(options.world, 1.0, "pretrain"));
  const auto test =
      some_of(single_observations(ensure_split(options.world, 1.0, "pretrain-test")), pretraining.held_out);
  torch::manual_seed(options.seed);
  const auto model = make_observation_model(config.model.observation, world);
  model->to(device);
  pretrain(*model, train, pretraining, options.seed);
  const double score = reconstruction(*model, test);
  const auto path = options.out.empty() ? observation_weights_path(config) : options.out;
  save_observation_model(path, *model, config.model.observation, world);
  if (options.json) {
    fmt::print("{}\n",
               nlohmann::json({{"path", path.string()}, {"held_out", test.size(0)}, {"reconstructed", score}})
                   .dump());
  } else {
    if (!model->readout().is_categorical()) {
      fmt::print("L1 of {} held-out observations: {:.4f}\nwrote {}\n", test.size(0), score, path.string());
      print_by_length(*model, ensure_split(options.world, 1.0, "pretrain-test"), pretraining.held_out);
      return;
    }
    fmt::print("{} of {} held-out observations reconstructed exactly: {:.4f}\nwrote {}\n",
               static_cast<int64_t>(std::llround(score * static_cast<double>(test.size(0)))), test.size(0),
               score, path.string());
  }
}

}  // namespace

void setup_pretrain(CLI::App& app) {
  auto options = std::make_shared<PretrainOptions>();
  CLI::App* command = app.add_subcommand(
      "pretrain", "Train a world's observation model (shipped already, but for the paper's image model)");
  command->add_option("world", options->world, "gridworld, arithmetic or imaging")->required();
  command->add_option("--preset", options->preset, "Whose observation model: fast, paper")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")->capture_default_str();
  command->add_option("--out", options->out,
                      "Where to write (default: weights/<world>-<kind>-observation.safetensors)");
  command->add_option("--set", options->assignments, "Change a setting, e.g. --set steps=2000")->take_all();
  command->add_option("--device", options->device, "cpu, or cuda (for the paper's image model)")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->footer(
      "Example:\n  neo pretrain gridworld --preset fast\n\nSettings (of grid-vae; tokens and digits: steps "
      "600, batch 64, rate 0.02; residual-vae: the paper's schedule):\n" +
      describe(PretrainConfig{}));
  command->callback([options] { run_pretrain(*options); });
}

}  // namespace neo
