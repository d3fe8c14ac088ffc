#include "report/recorded_costs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/files.h"

namespace neo {
namespace fs = std::filesystem;
namespace {
using nlohmann::json;

std::string kind_of(const PlannedRun& run) {
  return fmt::format("{} {} {} {}", run.benchmark, run.preset, run.method, run.ablation);
}

std::string kind_of(const PlannedRun& run, const PlannedEvaluation& evaluation) {
  return fmt::format("{} {} {} {} {}", run.benchmark, run.preset, evaluation.method, run.ablation, evaluation.purpose);
}

// The run that a record is of, as far as costs depend on it, and how the record was made.
std::pair<PlannedRun, PlannedEvaluation> made_by(const fs::path& path, const json& record) {
  const json& cell = record.at("cell");
  PlannedRun run{.benchmark = path.parent_path().filename().string(), .preset = cell.at("preset"), .method = cell.at("method"),
                 .ablation = cell.at("ablation")};
  return {run, {.method = cell.at("method"), .purpose = cell.at("purpose")}};
}

}  // namespace

RecordedCosts::RecordedCosts(const std::vector<fs::path>& results) {
  for (const fs::path& folder : results) {
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none))
      if (entry.path().extension() == ".json") add(entry.path());
  }
}

void RecordedCosts::add(const fs::path& path) {
  const json record = json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (!record.is_object() || !record.contains("cell")) return;  // for the report to complain about
  const auto [run, evaluation] = made_by(path, record);
  const auto count = [](Mean& mean, double seconds) {
    mean.total += seconds;
    ++mean.count;
  };
  count(evaluation_[kind_of(run, evaluation)], record["cell"].value("seconds", 0.0));
  if (!evaluation.purpose.empty() || !record.contains("timing")) return;
  const json cost = record["timing"].value("training", json());
  if (cost.is_object()) count(training_[kind_of(run)], cost.value("seconds", 0.0));
}

std::optional<double> RecordedCosts::seconds(const PlannedRun& run) const {
  const auto training = training_.find(kind_of(run));
  if (training == training_.end()) return std::nullopt;
  double seconds = training->second.value();
  for (const PlannedEvaluation& evaluation : run.evaluations)
    if (const auto known = evaluation_.find(kind_of(run, evaluation)); known != evaluation_.end())
      seconds += known->second.value();
  return seconds;
}

}  // namespace neo
