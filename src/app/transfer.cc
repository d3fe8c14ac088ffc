#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "app/inputs.h"
#include "core/terminal.h"
#include "explain/program_text.h"

namespace neo {
namespace {

std::vector<Input> inputs_of(const TransferCommand& command, const Theory& theory) {
  std::vector<Input> inputs;
  if (command.x.empty()) {
    for (const auto& [name, pair, query, policy] : given_pairs(command.pair, command.count, theory)) {
      inputs.push_back({query ? name + " support" : name, pair.x, pair.y});
      if (query) inputs.push_back({name + " query", query->x, query->y});
    }
    return inputs;
  }
  for (size_t i = 0; i < command.x.size(); ++i) {
    Input input{fmt::format("input {}", i + 1), given_observation(theory.view(), command.x[i]), {}};
    if (!command.y.empty()) input.y = given_observation(theory.view(), command.y[i]);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace

void execute(const TransferCommand& command) {
  const Theory theory = Theory::open(command.model);
  const auto codes = parse_codes(command.program, theory.codes(), theory.names());
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  std::vector<PanelRow> rows;
  for (const Input& input : inputs_of(command, theory)) {
    const InputRun run = theory.run(codes, input, theory.policy());
    rows.push_back(
        panels_of(strip_of(run, fmt::format("{}: {}", input.name, program_text(codes, theory.names())), theory.space(),
                           theory.names())));
    if (command.json) {
      fmt::print("{}\n", to_json(run, theory.view()).dump());
      continue;
    }
    fmt::print("{}\n", rows.back().title);
    if (!command.pictures.wanted())
      fmt::print("{}\n", terminal_panels(theory.view(), rows.back().panels, wants_colour(), width));
  }
  write_pictures(command.pictures, theory.view(), rows, command.json);
}

}  // namespace neo
