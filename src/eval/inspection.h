#pragma once

#include "eval/options.h"
#include "eval/relations.h"
#include "eval/vocabulary.h"
#include "rollout/rollout.h"
#include "search/explanations.h"
#include "view/view.h"

namespace neo {

// What one code does.
struct CodeReport {
  int64_t code = 0;
  std::string name;       // of what it does: "move_up", "times 3", or at least "changes 12 % of cells"
  std::string primitive;  // the true one that it acts as most often; empty where it acts as none
  double agreement = 0;   // share of that primitive's inputs on which it does
  double unchanged = 0;   // share of inputs that it leaves as they are
  double usage = 0;       // share of all steps of explanations
  double programs = 0;    // share of explanations in which it occurs
  struct Example {
    Observation before, after;
  };
  std::vector<Example> examples;
};

// The vocabulary of a theory. Nothing but `vocabulary`, `name` and `primitive` uses the true primitives, and
// these are left empty where there are none.
struct Inspection {
  Vocabulary vocabulary;
  std::vector<CodeReport> codes;  // those in use
  Relations relations;            // between codes by their numbers; unchanged as in `codes`
  int64_t inputs = 0;             // on which relations were tested
  int64_t pairs = 0;              // explained for `usage`
  double self = 0;                // share of them explained exactly, or mean error
  double mean_length = 0;         // of these explanations
};
// How an observation is put into JSON: View::json for users' own tools, View::text over HTTP.
using WriteObservation = std::function<nlohmann::json(ObservationView)>;
nlohmann::json to_json(const Inspection& inspection, const WriteObservation& write);

// What a theory is inspected with: its policy, how its observations are described, and, where its data are a
// benchmark's, the true primitives.
struct InspectedTheory {
  NeoImpl& model;
  const Policy& policy;
  const View& view;
  const Benchmark* benchmark = nullptr;
};
// Inputs are the support inputs of `episodes`, explained pairs their support pairs, both spread over all of
// them. An Error where the theory has no codes.
Inspection inspect(const InspectedTheory& theory, const Episodes& episodes, const InspectionOptions& options);
// What each code of the codebook does to inputs [E, N], in a few words; empty for those that are not in use.
std::vector<std::string> name_codes(const InspectedTheory& theory, const torch::Tensor& inputs);

}  // namespace neo
