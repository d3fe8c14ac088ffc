#include <fmt/format.h>

#include <memory>

#include "app/commands.h"
#include "app/inputs.h"
#include "core/error.h"
#include "core/terminal.h"
#include "explain/explain.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct TransferCommand {
  fs::path model;
  std::string program;
  std::vector<std::string> x, y;
  std::string episode;
  int64_t count = 1;
  PictureFiles pictures;
  bool json = false;
};

std::vector<InputPair> inputs_of(const TransferCommand& command, const LoadedTheory& theory) {
  const World& world = theory.model->world();
  std::vector<InputPair> inputs;
  if (command.x.empty()) {
    if (command.episode.empty()) fail_usage("give inputs with --x, or --episode FILE:N");
    for (const auto& [name, e, program] : given_episodes(command.episode, command.count, theory)) {
      inputs.push_back({name + " support", e.support_x, e.support_y});
      inputs.push_back({name + " query", e.query_x, e.query_y});
    }
    return inputs;
  }
  if (!command.y.empty() && command.y.size() != command.x.size())
    fail_usage("{} --x and {} --y; give one --y for every --x, or none", command.x.size(), command.y.size());
  for (size_t i = 0; i < command.x.size(); ++i) {
    InputPair input{fmt::format("input {}", i + 1), given_observation(world, command.x[i]), {}};
    if (!command.y.empty()) input.y = given_observation(world, command.y[i]);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

nlohmann::json to_json(const World& world, const InputPair& input, const Theory& theory) {
  nlohmann::json record{{"input", input.name}, {"theory", to_json(theory)}};
  if (input.y && is_image(world)) record["l1"] = l1(theory.trace.back(), *input.y);
  return record;
}

void run_transfer(const TransferCommand& command) {
  auto [theory, config] = open_theory(command.model);
  NeoImpl& model = *theory.model;
  const World& world = model.world();
  const auto codes = parse_codes(command.program, model.quantizer().config().codes);
  const auto executor = make_hard_executor(model);
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  std::vector<PanelRow> rows;
  for (const InputPair& input : inputs_of(command, theory)) {
    const Theory result = run_program(model, input.x, codes, config.evaluation.hard_grounding,
                                      input.y ? &*input.y : nullptr, executor.get());
    const std::string remark = input.y ? fmt::format(" ({})", verdict(world, result, *input.y)) : "";
    rows.push_back(panels_of(
        strip_of(fmt::format("{}: {}{}", input.name, program_text(codes), remark), result, input.y)));
    if (command.json) {
      fmt::print("{}\n", to_json(world, input, result).dump());
      continue;
    }
    fmt::print("{}\n", rows.back().title);
    if (!command.pictures.wanted())
      fmt::print("{}\n", terminal_panels(world, rows.back().panels, wants_colour(), width));
  }
  command.pictures.write(world, rows, command.json);
}

}  // namespace

void setup_transfer(CLI::App& app) {
  auto command = std::make_shared<TransferCommand>();
  CLI::App* sub = app.add_subcommand("transfer", "Run a program on new inputs, step by step");
  sub->add_option("model", command->model, "A run folder or a weights file")->required();
  sub->add_option("--program", command->program, "Codes in order of execution: \"z3 z1 z1\" or 3,1,1")
      ->required();
  auto* x = sub->add_option("--x", command->x,
                            "An input: a number, 100 cells, @FILE with those, or a 32x32 PNG file; may be "
                            "repeated");
  x->allow_extra_args(false);
  sub->add_option("--y", command->y, "What should come out, one for every --x")
      ->allow_extra_args(false)
      ->needs(x);
  sub->add_option("--episode", command->episode, "FILE:N or FILE:N,N,...: both inputs of each episode")
      ->excludes(x);
  sub->add_option("--count", command->count, "How many episodes from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--png", command->pictures.png, "Draw into this PNG file instead of on the terminal");
  sub->add_option("--svg", command->pictures.svg, "Draw into this SVG file instead of on the terminal");
  sub->add_flag("--json", command->json, "One JSON object per input");
  sub->footer(
      "Example:\n"
      "  neo transfer weights/arithmetic-alpha0.33.safetensors --program \"z3 z1\" --x 7 --x 12\n"
      "  neo transfer weights/gridworld-alpha0.33.safetensors --program \"z0 z2 z2\" --x @grid.txt --png "
      "moved.png");
  sub->callback([command] { run_transfer(*command); });
}

}  // namespace neo
