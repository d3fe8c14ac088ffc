#include <nlohmann/json.hpp>
#include <optional>

#include "app/execute.h"
#include "app/inputs.h"
#include "core/terminal.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {

// A pair to explain, and inputs to run its program on.
struct Question {
  InputPair pair;
  std::vector<InputPair> queries;
  std::string true_program;  // where it is known; for captions only
  Policy policy;             // the theory's for this pair
};

struct Answer {
  Explanation explanation;
  std::optional<ProgramRun> counterfactual;
  std::vector<ProgramRun> queries;
};

std::vector<Question> questions_of(const ExplainCommand& command, const Theory& theory) {
  std::vector<Question> questions;
  if (command.x.empty()) {
    for (const auto& [name, pair, query, policy] : given_pairs(command.pair, command.count, theory)) {
      questions.push_back({{name, pair.x, pair.y}, {}, pair.program, policy});
      if (query) questions.back().queries.push_back({"query", query->x, query->y});
    }
    return questions;
  }
  Question question{{"pair", given_observation(theory.view(), command.x), given_observation(theory.view(), command.y)},
                    {},
                    {},
                    theory.policy()};
  for (const std::string& text : command.queries)
    question.queries.push_back({"query", given_observation(theory.view(), text), {}});
  return {question};
}

Answer answer(const Theory& theory, const Question& question, const Policy& policy, const ExplainOptions& options,
              const std::map<int64_t, int64_t>& overrides) {
  const auto run = [&](const InputPair& pair, const std::vector<int64_t>& codes) {
    return theory.run(codes, pair.x, pair.y ? &*pair.y : nullptr, policy);
  };
  Answer answer;
  answer.explanation = theory.explain(question.pair.x, *question.pair.y, policy, options);
  const auto& codes = answer.explanation.run.codes;
  if (!overrides.empty())
    answer.counterfactual = run(question.pair, override_steps(codes, overrides, theory.codes()));
  for (const InputPair& query : question.queries) answer.queries.push_back(run(query, codes));
  return answer;
}

// A run and, where y is known, its score.
nlohmann::json score_run(const Theory& theory, const ProgramRun& run, const InputPair& pair) {
  const View& view = theory.view();
  nlohmann::json record{{"run", to_json(run, [&](ObservationView o) { return view.json(o); })}};
  if (!pair.y) return record;
  record["error"] = theory.error(run.trace.back(), *pair.y);
  if (theory.space().is_categorical()) record["transfers"] = run.trace.back() == *pair.y;
  return record;
}

nlohmann::json to_json(const Theory& theory, const Question& question, const Answer& answer) {
  const View& view = theory.view();
  const WriteObservation write = [&](ObservationView o) { return view.json(o); };
  nlohmann::json record = to_json(answer.explanation, write);
  record["pair"] = question.pair.name;
  record["error"] = theory.error(answer.explanation.run.trace.back(), *question.pair.y);
  if (answer.counterfactual) record["counterfactual"] = to_json(*answer.counterfactual, write);
  record["queries"] = nlohmann::json::array();
  for (size_t i = 0; i < answer.queries.size(); ++i)
    record["queries"].push_back(score_run(theory, answer.queries[i], question.queries[i]));
  return record;
}

// One strip for the explanation, the counterfactual below it, one for every query.
std::vector<Strip> strips_of(const Theory& theory, const Question& question, const Answer& answer) {
  const ProgramRun& run = answer.explanation.run;
  const auto& [pair, queries, truth, policy] = question;
  const auto outcome = [&](const ProgramRun& of, const Observation& y) {
    return verdict(theory.space(), theory.error(of.trace.back(), y));
  };
  std::vector<Strip> strips;
  strips.push_back(
      strip_of(fmt::format("{}: {} ({} step{}, {}{})", pair.name, program_text(run.codes),
                           run.codes.size(), run.codes.size() == 1 ? "" : "s",
                           outcome(run, *pair.y), truth.empty() ? "" : "; true program " + printable(truth, 200)),
               run, pair.y));
  if (answer.counterfactual) {
    const ProgramRun& other = *answer.counterfactual;
    const auto steps = changed_steps(other, run);
    const std::string which = steps.empty() ? "nothing" : fmt::format("step {}", fmt::join(steps, ", "));
    strips.push_back(strip_of(fmt::format("with {} overridden: {} ({})", which, program_text(other.codes),
                                          outcome(other, *pair.y)),
                              other, pair.y, steps));
  }
  for (size_t i = 0; i < queries.size(); ++i) {
    const auto& y = queries[i].y;
    const std::string remark = y ? fmt::format(" ({})", outcome(answer.queries[i], *y)) : "";
    strips.push_back(strip_of("the same program on another input" + remark, answer.queries[i], y));
  }
  return strips;
}

void print(const View& view, const std::vector<Strip>& strips, const Explanation& explanation,
           bool drawings) {
  const int width = is_terminal(STDOUT_FILENO) ? terminal_width(STDOUT_FILENO) : 0;
  for (const Strip& strip : strips) {
    fmt::print("{}\n", wrapped(strip.title));
    if (drawings) fmt::print("{}", terminal_panels(view, panels_of(strip).panels, wants_colour(), width));
    if (&strip == &strips.front())
      fmt::print("{}{}", length_text(explanation), alternatives_text(explanation));
  }
  fmt::print("\n");
}

// The theory's policy, with the options of the command line applied.
Policy resolved(const ExplainCommand& command, Policy policy) {
  policy.search = command.search.value_or(policy.search);
  policy.steps = command.steps.value_or(policy.steps);
  policy.width = command.width.value_or(policy.width);
  policy.temperature = command.temperature.value_or(policy.temperature);
  policy.lambda = command.lambda.value_or(policy.lambda);
  policy.tolerance = command.tolerance.value_or(policy.tolerance);
  return policy;
}

}  // namespace

void execute(const ExplainCommand& command) {
  const Theory theory = Theory::open(command.model);
  const auto overrides = parse_overrides(command.overrides, theory.codes());
  std::vector<PanelRow> rows;
  for (const Question& question : questions_of(command, theory)) {
    const Answer found =
        answer(theory, question, resolved(command, question.policy), command.options, overrides);
    const auto strips = strips_of(theory, question, found);
    if (command.json)
      fmt::print("{}\n", to_json(theory, question, found).dump());
    else
      print(theory.view(), strips, found.explanation, /*drawings=*/!command.pictures.wanted());
    for (const Strip& strip : strips) rows.push_back(panels_of(strip));
  }
  write_pictures(command.pictures, theory.view(), rows, command.json);
}

}  // namespace neo
