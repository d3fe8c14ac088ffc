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

Strip strip_of(const InputRun& run, const std::string& title, const Space& space, const std::vector<size_t>& marked) {
  const std::string remark = run.error ? fmt::format(" ({})", verdict(space, *run.error)) : "";
  return strip_of(title + remark, run.run, run.input.y, marked);
}

json to_json(const ExplainedPair& pair, const View& view) {
  json record = to_json(pair.explanation, writer(view));
  record["pair"] = pair.question.pair.name;
  record["error"] = pair.error;
  if (pair.counterfactual) record["counterfactual"] = to_json(pair.counterfactual->run, writer(view));
  record["queries"] = json::array();
  for (const InputRun& query : pair.queries) record["queries"].push_back(to_json(query, view));
  return record;
}

std::vector<Strip> strips_of(const ExplainedPair& pair, const Space& space) {
  const ProgramRun& run = pair.explanation.run;
  const auto& [input, queries, overrides, truth] = pair.question;
  const std::string title =
      fmt::format("{}: {} ({}, {}{})", input.name, program_text(run.codes),
                  counted(static_cast<int64_t>(run.codes.size()), "step"), verdict(space, pair.error),
                  truth.empty() ? "" : "; true program " + printable(truth, kLongestProgram));
  std::vector<Strip> strips{strip_of(title, run, input.y)};
  if (const auto& other = pair.counterfactual) {
    const auto steps = changed_steps(other->run, run);
    const std::string which = steps.empty() ? "nothing" : fmt::format("step {}", fmt::join(steps, ", "));
    strips.push_back(strip_of(*other, fmt::format("with {} overridden: {}", which, program_text(other->run.codes)),
                              space, steps));
  }
  for (const InputRun& query : pair.queries)
    strips.push_back(strip_of(query, "the same program on another input", space));
  return strips;
}

}  // namespace neo
