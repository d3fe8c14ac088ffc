#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/execute.h"
#include "app/inputs.h"
#include "core/error.h"
#include "core/terminal.h"
#include "core/text.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {

// The theory's policy for a pair, with the options of the command line applied.
Policy resolved(const ExplainCommand& command, Policy policy) {
  policy.search = command.search.value_or(policy.search);
  policy.steps = command.steps.value_or(policy.steps);
  policy.width = command.width.value_or(policy.width);
  policy.draws = command.draws.value_or(policy.draws);
  policy.temperature = command.temperature.value_or(policy.temperature);
  policy.lambda = command.lambda.value_or(policy.lambda);
  policy.tolerance = command.tolerance.value_or(policy.tolerance);
  return policy;
}

std::vector<ExplainedPair> answers_to(const ExplainCommand& command, const Theory& theory) {
  const auto overrides = parse_overrides(command.overrides, theory.codes(), theory.names());
  std::vector<ExplainedPair> answers;
  const auto ask = [&](const Question& question, const Policy& policy) {
    answers.push_back(theory.explain(question, resolved(command, policy), command.options));
  };
  if (command.x.empty()) {
    for (const auto& [name, pair, query, policy] : given_pairs(command.pair, command.count, theory)) {
      Question question{{name, pair.x, pair.y}, {}, overrides, pair.program};
      if (query) question.queries.push_back({"query", query->x, query->y});
      ask(question, policy);
    }
    return answers;
  }
  const auto given = [&](const std::string& text) { return given_observation(theory.view(), text); };
  Question question{{"pair", given(command.x), given(command.y)}, {}, overrides, {}};
  for (const std::string& text : command.queries) question.queries.push_back({"query", given(text), {}});
  ask(question, theory.policy());
  return answers;
}

void print(const Theory& theory, const std::vector<Strip>& strips, const Explanation& explanation, bool drawings) {
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  for (const Strip& strip : strips) {
    fmt::print("{}\n", wrapped(strip.title));
    if (drawings) fmt::print("{}", terminal_panels(theory.view(), panels_of(strip).panels, wants_colour(), width));
    if (&strip == &strips.front())
      fmt::print("{}{}", length_text(explanation), alternatives_text(explanation, theory.names()));
  }
  fmt::print("\n");
}

[[noreturn]] void fail_unexplained(const std::vector<std::string>& pairs, const Policy& policy) {
  fail("no program found for {}; try {} or --steps {}", pairs.size() == 1 ? pairs[0] : counted(std::ssize(pairs), "pair"),
       policy.search == "beam" ? fmt::format("--width {}", 4 * policy.width) : "--search beam", 2 * policy.steps);
}

}  // namespace

void execute(const ExplainCommand& command) {
  const Theory theory = Theory::open(command.model);
  std::vector<PanelRow> rows;
  std::vector<FoundProgram> programs;
  std::vector<std::string> unexplained;
  for (const ExplainedPair& answer : answers_to(command, theory)) {
    const ProgramRun& run = answer.explanation.run;
    programs.push_back({answer.question.pair.name, run.codes, run.explained});
    const auto strips = strips_of(answer, theory.space(), theory.names());
    if (!answer.found) unexplained.push_back(answer.question.pair.name);
    if (command.json)
      fmt::print("{}\n", to_json(answer, theory.view()).dump());
    else
      print(theory, strips, answer.explanation, /*drawings=*/!command.pictures.wanted());
    for (const Strip& strip : strips) rows.push_back(panels_of(strip));
  }
  if (!command.programs_file.empty()) write_programs(command.programs_file, programs);
  write_pictures(command.pictures, theory.view(), rows, command.json);
  if (!unexplained.empty()) fail_unexplained(unexplained, resolved(command, theory.policy()));
}

}  // namespace neo
