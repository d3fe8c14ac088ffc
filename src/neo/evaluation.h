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

// The options of `neo eval`.
struct EvaluationOptions : StrategyRequest {
  std::filesystem::path model;
  std::string method;                       // empty: the one it was trained by
  std::vector<std::filesystem::path> data;  // empty: the benchmark's splits, or the pairs it was trained from
  int64_t episodes = 0;                     // most per file; 0: the preset's
  bool soft = false;                        // also without hard grounding
  bool diagnose = false;
  int64_t examples = 0;  // episodes per split to show in full
};

struct EvaluationResult {
  std::vector<SplitScore> scores;
  Vocabulary vocabulary;
  std::vector<Diagnosis> diagnoses;
  nlohmann::json record;      // everything, as it goes to eval.json
  std::string record_name;    // eval.json, or eval-<method>.json where only the evaluation differs
};
EvaluationResult evaluate(const EvaluationOptions& options);

}  // namespace neo
