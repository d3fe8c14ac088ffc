#include "explain/explained_pair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "explain/present.h"
#include "explain/program_text.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr size_t kLongestProgram = 200;  // characters of a true program, which may come from a file

WriteObservation writer(const View& view) {
  return [&view](ObservationView o) { return view.json(o); };
}

}  // namespace

json to_json(const InputRun& run, const View& view) {
  json record{{"input", run.input.name}, {"run", to_json(run.run, writer(view))}};
  if (!run.error) {
    for (const char* unknown : {"losses", "exact", "explained"}) record["run"].erase(unknown);
    return record;
  }
  record["error"] = *run.error;
  if (view.space().is_categorical()) record["transfers"] = run.run.exact;
  return record;
}

Strip strip_of(const InputRun& run, const std::string& title, const Space& space, const CodeNames& names,
               const std::vector<size_t>& marked) {
  const std::string remark = run.error ? fmt::format(" ({})", verdict(space, *run.error)) : "";
  return strip_of(title + remark, run.run, run.input.y, names, marked);
}

json to_json(const ExplainedPair& pair, const View& view) {
  json record = to_json(pair.explanation, writer(view));
  record["pair"] = pair.question.pair.name;
  record["error"] = pair.error;
  if (pair.counterfactual) record["counterfactual"] = to_json(pair.counterfactual->run, writer(view));
  record["queries"] = json::array();
  for (const InputRun& query : pair.queries) record["queries"].push_back(to_json(query, view));
  for (size_t i = 0; i < pair.overridden_queries.size(); ++i)
    record["queries"][i]["counterfactual"] = to_json(pair.overridden_queries[i].run, writer(view));
  return record;
}

std::vector<Strip> strips_of(const ExplainedPair& pair, const Space& space, const CodeNames& names) {
  const ProgramRun& run = pair.explanation.run;
  const auto& [input, queries, overrides, truth] = pair.question;
  const std::string title =
      fmt::format("{}: {}{} ({}, {}{})", input.name, pair.found ? "" : "no program found; closest is ",
                  program_text(run.codes, names), counted(static_cast<int64_t>(run.codes.size()), "step"),
                  verdict(space, pair.error), truth.empty() ? "" : "; true program " + printable(truth, kLongestProgram));
  std::vector<Strip> strips{strip_of(title, run, input.y, names)};
  std::vector<size_t> steps;
  std::string overridden;
  if (const auto& other = pair.counterfactual) {
    steps = changed_steps(other->run, run);
    overridden = fmt::format("with {} overridden", steps.empty() ? "nothing" : fmt::format("step {}", fmt::join(steps, ", ")));
    strips.push_back(strip_of(*other, overridden + ": " + program_text(other->run.codes, names), space, names, steps));
  }
  const std::string warning = pair.found ? " " : ", which did not explain its pair, ";
  for (size_t i = 0; i < pair.queries.size(); ++i) {
    strips.push_back(strip_of(pair.queries[i], "the same program" + warning + "on another input", space, names));
    if (i < pair.overridden_queries.size())
      strips.push_back(strip_of(pair.overridden_queries[i], overridden + ", on that input", space, names, steps));
  }
  return strips;
}

}  // namespace neo
