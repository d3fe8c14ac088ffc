#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/inputs.h"
#include "core/error.h"
#include "core/terminal.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct TransferCommand {
  fs::path model;
  std::string program;
  std::vector<std::string> x, y;
  std::string pair;
  int64_t count = 1;
  PictureFiles pictures;
  bool json = false;
};

std::vector<InputPair> inputs_of(const TransferCommand& command, const Theory& theory) {
  std::vector<InputPair> inputs;
  if (command.x.empty()) {
    if (command.pair.empty()) fail_usage("give inputs with --x, or --pair FILE:N");
    for (const auto& [name, pair, query, policy] : given_pairs(command.pair, command.count, theory)) {
      inputs.push_back({query ? name + " support" : name, pair.x, pair.y});
      if (query) inputs.push_back({name + " query", query->x, query->y});
    }
    return inputs;
  }
  if (!command.y.empty() && command.y.size() != command.x.size())
    fail_usage("{} --x and {} --y; give one --y for every --x, or none", command.x.size(), command.y.size());
  for (size_t i = 0; i < command.x.size(); ++i) {
    InputPair input{fmt::format("input {}", i + 1), given_observation(theory.view(), command.x[i]), {}};
    if (!command.y.empty()) input.y = given_observation(theory.view(), command.y[i]);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

nlohmann::json to_json(const Theory& theory, const InputPair& input, const ProgramRun& run) {
  nlohmann::json record{{"input", input.name},
                        {"run", to_json(run, [&](ObservationView o) { return theory.view().json(o); })}};
  if (input.y) {
    record["error"] = theory.error(run.trace.back(), *input.y);
  } else {  // nothing to compare with
    for (const char* unknown : {"losses", "exact", "explained"}) record["run"].erase(unknown);
  }
  return record;
}

void run_transfer(const TransferCommand& command) {
  const Theory theory = Theory::open(command.model);
  const auto codes = parse_codes(command.program, theory.codes());
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  std::vector<PanelRow> rows;
  for (const InputPair& input : inputs_of(command, theory)) {
    const ProgramRun run = theory.run(codes, input.x, input.y ? &*input.y : nullptr);
    const std::string remark =
        input.y ? fmt::format(" ({})", verdict(theory.space(), theory.error(run.trace.back(), *input.y))) : "";
    rows.push_back(
        panels_of(strip_of(fmt::format("{}: {}{}", input.name, program_text(codes), remark), run, input.y)));
    if (command.json) {
      fmt::print("{}\n", to_json(theory, input, run).dump());
      continue;
    }
    fmt::print("{}\n", rows.back().title);
    if (!command.pictures.wanted())
      fmt::print("{}\n", terminal_panels(theory.view(), rows.back().panels, wants_colour(), width));
  }
  command.pictures.write(theory.view(), rows, command.json);
}

}  // namespace

void setup_transfer(CLI::App& app) {
  auto command = std::make_shared<TransferCommand>();
  CLI::App* sub = app.add_subcommand("transfer", "Run a program on new inputs, step by step");
  sub->add_option("model", command->model, "A run folder or a weights file")->required();
  sub->add_option("--program", command->program, "Codes in order of execution: \"z3 z1 z1\" or 3,1,1")
      ->required();
  auto* x = sub->add_option("--x", command->x, std::string("An input, may be repeated: ") + kObservationHelp);
  x->allow_extra_args(false);
  sub->add_option("--y", command->y, "The expected output, one for every --x")
      ->allow_extra_args(false)
      ->needs(x);
  sub->add_option("--pair,--episode", command->pair, "FILE:N or FILE:N,N,...: pairs, or both of an episode")
      ->excludes(x);
  sub->add_option("--count", command->count, "How many from there")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--png", command->pictures.png, "Draw into this PNG file instead of on the terminal");
  sub->add_option("--svg", command->pictures.svg, "Draw into this SVG file instead of on the terminal");
  sub->add_flag("--json", command->json, "One JSON object per input");
  sub->footer(
      "Examples:\n"
      "  neo transfer THEORY.safetensors --program \"z3 z1\" --x 7 --x 12\n"
      "  neo transfer runs/mine --program \"z0 z2 z2\" --x @grid.txt --png moved.png");
  sub->callback([command] { run_transfer(*command); });
}

}  // namespace neo
