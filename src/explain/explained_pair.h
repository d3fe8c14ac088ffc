#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explain/program_run.h"
#include "explain/program_text.h"
#include "view/strip.h"
#include "view/view.h"

namespace neo {

// An input to run a program on, and its output where that is known.
struct Input {
  std::string name;
  Observation x;
  std::optional<Observation> y;
};

// A program on an input.
struct InputRun {
  Input input;
  ProgramRun run;
  std::optional<double> error;  // of the result, as evaluation measures it, where y is known
};
// `run`, with `error` and, where observations can match exactly, `transfers`. Without a y there is nothing to
// compare with: no losses either.
nlohmann::json to_json(const InputRun& run, const View& view);
Strip strip_of(const InputRun& run, const std::string& title, const Space& space, const CodeNames& names,
               const std::vector<size_t>& marked = {});

// A pair to explain, and what else to try its program on.
struct Question {
  Input pair;  // with its y
  std::vector<Input> queries;
  std::map<int64_t, int64_t> overrides;  // step -> code: a counterfactual
  std::string true_program;              // where it is known; for captions only
};

// What a theory answers.
struct ExplainedPair {
  Question question;
  Explanation explanation;
  double error = 0;   // of the explanation's result
  bool found = true;  // false: no program explains the pair; this one comes closest
  std::optional<InputRun> counterfactual;
  std::vector<InputRun> queries;
  std::vector<InputRun> overridden_queries;  // the counterfactual's program on them; none without overrides
};
nlohmann::json to_json(const ExplainedPair& pair, const View& view);
// One strip for the explanation, the counterfactual below it, then the same for every query.
std::vector<Strip> strips_of(const ExplainedPair& pair, const Space& space, const CodeNames& names);

}  // namespace neo
