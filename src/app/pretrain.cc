#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/help_text.h"
#include "core/config.h"
#include "neo/pretraining.h"

namespace neo {
namespace {

void print(const PretrainingResult& r) {
  if (r.exact) {
    fmt::print("{} of {} held-out observations reconstructed exactly: {:.4f}\n",
               std::llround(r.score * static_cast<double>(r.held_out)), r.held_out, r.score);
  } else {
    fmt::print("error of {} held-out observations: {:.4f}\n", r.held_out, r.score);
    for (const auto& [length, error] : r.by_length)
      fmt::print("{}: {:.4f}\n", length == 0 ? "plain" : fmt::format("edited by {}", length), error);
  }
  fmt::print("wrote {}\n", r.path.string());
}

}  // namespace

void setup_pretrain(CLI::App& app) {
  auto options = std::make_shared<PretrainingOptions>();
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "pretrain", "Train a benchmark's observation model (shipped, except the paper's image model)");
  command->add_option("benchmark", options->benchmark, benchmark_list())->required();
  command->add_option("--preset", options->preset, "Whose observation model: fast, paper")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Random seed")->check(is_seed())->capture_default_str();
  command->add_option("--out", options->out,
                      "Where to write (default: weights/<benchmark>-<kind>-observation.safetensors)");
  command->add_option("--set", options->settings, "Change a setting, e.g. --set steps=2000")->take_all();
  command->add_option("--device", options->device, "cpu, or cuda (for the paper's image model)")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  command->add_flag("--json", *json, "Print the result as JSON");
  command->footer("Example:\n  neo pretrain " + some_benchmark() +
                  " --preset fast\n\nSettings (of grid-vae; tokens and digits: steps 600, batch 64, rate 0.02; "
                  "residual-vae: the paper's schedule):\n" +
                  describe(PretrainConfig{}));
  command->callback([options, json] {
    const PretrainingResult result = run_pretraining(*options);
    if (!*json) return print(result);
    fmt::print("{}\n", nlohmann::json({{"path", result.path.string()},
                                       {"held_out", result.held_out},
                                       {"reconstructed", result.score}})
                           .dump());
  });
}

}  // namespace neo
