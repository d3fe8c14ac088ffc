#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "eval/diagnosis.h"
#include "eval/vocabulary.h"
#include "neo/strategies.h"
#include "neo/theory.h"

namespace neo {

struct EvaluationResult {
  std::vector<SplitScore> scores;
  Vocabulary vocabulary;
  std::vector<Diagnosis> diagnoses;
  std::vector<FoundProgram> programs;  // of every pair, where they were asked for
  nlohmann::json record;      // everything, as it goes to eval.json
  std::string record_name;    // eval.json, or eval-<method>.json where only the evaluation differs
};
EvaluationResult evaluate(const EvaluationOptions& options);

}  // namespace neo
