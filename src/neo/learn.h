#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "neo/options.h"
#include "neo/structure.h"
#include "neo/theory.h"

namespace neo {

struct LearnResult {
  std::filesystem::path run, data;
  Space space;
  std::string structure;  // which executor, "local"
  std::vector<StructureTrial> trials;  // which structures were tried before, with what result
  std::optional<ImportReport> imported;
  SplitScore score;       // on pairs that were held out (or on all, where none were)
  Inspection inspection;
  std::optional<double> primitiveness;  // where programs are named
  bool held_out = false;
  bool continued = false;  // an interrupted run was taken up again
  double seconds = 0;
  // Whether anything was learned: more than a few pairs are explained, or programs bring the error down by more than
  // choosing the best of so many would anyway.
  bool is_theory() const;
  nlohmann::json json() const;
};

// From a user's files to a theory of them: imports where needed, makes the observation model, trains with a
// structure that suits the layout, evaluates on what was held out, and names the codes. Interrupted, the same call
// continues; sources are not read again then.
LearnResult learn(const LearnOptions& options);

}  // namespace neo
