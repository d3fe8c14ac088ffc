#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "app/inputs.h"
#include "core/terminal.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {

std::vector<InputPair> inputs_of(const TransferCommand& command, const Theory& theory) {
  std::vector<InputPair> inputs;
  if (command.x.empty()) {
    for (const auto& [name, pair, query, policy] : given_pairs(command.pair, command.count, theory)) {
      inputs.push_back({query ? name + " support" : name, pair.x, pair.y});
      if (query) inputs.push_back({name + " query", query->x, query->y});
    }
    return inputs;
  }
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

}  // namespace

void execute(const TransferCommand& command) {
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
  write_pictures(command.pictures, theory.view(), rows, command.json);
}

}  // namespace neo
