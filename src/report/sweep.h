#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/plan.h"

namespace neo {

// One or several settings through several values: every combination is trained, by default with a development
// seed.
struct SweepRequest {
  std::string benchmark, preset = "fast", method = "neo";
  double alpha = 0.33;
  std::vector<uint64_t> seeds{42};
  std::vector<std::string> settings;  // "key=value" or "key=value,value,..."
  int64_t episodes = 0;               // most per split; 0: the preset's
};

// Every combination in the order given, the last setting fastest. A UsageError where nothing is varied.
std::vector<std::vector<std::string>> sweep_points(const std::vector<std::string>& settings);
std::vector<PlannedRun> plan_sweep(const SweepRequest& request);

// What the records in `results` say, a row for every combination: means over seeds. Runs without record are
// missing.
std::string sweep_table(const SweepRequest& request, const std::filesystem::path& results);
nlohmann::json sweep_json(const SweepRequest& request, const std::filesystem::path& results);

}  // namespace neo
