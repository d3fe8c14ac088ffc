#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/plan.h"

namespace neo {

// The progress of a planned run.
enum class Stage {
  kWaiting,   // not started
  kCutOff,    // training began and can be resumed
  kTrained,   // a record is missing, of another theory, or made with other options
  kFinished,  // all records are there
  kBusy,      // another process trains in it
  kOutdated,  // trained with other settings or data than it would be now
};
std::string stage_name(Stage stage);  // "waiting", ...

// What a run would be trained with now.
struct Expectation {
  std::string settings;     // TOML
  std::string data_digest;  // of the training split; empty: unknown
  int64_t steps = 0, batch = 0;
};

struct CellState {
  Stage stage = Stage::kWaiting;
  int64_t step = 0;                            // of the last checkpoint
  std::vector<PlannedEvaluation> to_evaluate;  // records to make once it is trained
};

// Where the record of an evaluation goes.
std::filesystem::path record_path(const std::filesystem::path& results, const PlannedRun& run,
                                  const PlannedEvaluation& evaluation);

// Determined from the run folder and from the record's manifest and digest of the theory. `settings`:
// those that the run folder was trained with, as TOML written by this version.
CellState cell_state(const PlannedRun& plan, const std::filesystem::path& run,
                     const std::filesystem::path& results, const Expectation& expected,
                     const std::string& settings);

// The record for results/: what `neo eval` wrote, how it was made, how the run learned and what it cost.
std::string finished_record(nlohmann::json evaluation, const PlannedRun& plan,
                            const PlannedEvaluation& planned, const std::filesystem::path& run,
                            const Expectation& trained, double seconds);

}  // namespace neo
