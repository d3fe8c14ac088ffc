#include "report/cell_state.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/run_folder.h"
#include "report/training.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

// Raised whenever records hold more than before: older ones are then made again.
constexpr int kRecordVersion = 1;

json read_json(const fs::path& path) {
  if (!fs::exists(path)) return nullptr;
  return json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
}

// The first seed that is asked for gets examples, so that which one has them depends on the others: a record
// that holds them beyond what was planned is as good.
json without_examples(json arguments) {
  const auto option = std::ranges::find(arguments, json("--examples"));
  if (arguments.is_array() && arguments.end() - option >= 2) arguments.erase(option, option + 2);
  return arguments;
}

// Whether the record was made from this theory, in this way.
bool is_current(const json& record, const PlannedEvaluation& planned, const fs::path& run,
                const std::string& weights) {
  if (!record.is_object() || !record.contains("cell") || !record.at("cell").is_object()) return false;
  const json& cell = record.at("cell");
  const json made = cell.value("arguments", json()), asked = planned.arguments;
  return cell.value("version", 0) == kRecordVersion && cell.value("weights", "") == weights &&
         (made == asked || without_examples(made) == asked) &&
         record.value("manifest", json()) == read_json(run / "manifest.json");
}

bool is_outdated(const fs::path& run, const Expectation& expected, const std::string& settings) {
  if (settings != expected.settings) return true;
  const auto data = read_manifest(run).data;
  const auto digest = data.find("train");
  return !expected.data_digest.empty() && digest != data.end() && digest->second != expected.data_digest;
}

}  // namespace

std::string stage_name(Stage stage) {
  constexpr std::array<const char*, 6> kNames{"waiting",  "cut off", "trained",
                                              "finished", "busy",    "outdated"};
  return kNames.at(static_cast<size_t>(stage));
}

fs::path record_path(const fs::path& results, const PlannedRun& run, const PlannedEvaluation& evaluation) {
  return results / run.benchmark / (evaluation.name + ".json");
}

CellState cell_state(const PlannedRun& plan, const fs::path& run, const fs::path& results,
                     const Expectation& expected, const std::string& settings) {
  CellState state{.to_evaluate = plan.evaluations};
  if (!holds_run(run)) return state;
  if (is_locked(run)) {
    state.stage = Stage::kBusy;
    return state;
  }
  if (is_outdated(run, expected, settings)) {
    state.stage = Stage::kOutdated;
    return state;
  }
  if (const auto checkpoints = list_checkpoints(run); !checkpoints.empty())
    state.step = checkpoints.back().step;
  if (read_status(run).state != RunState::kFinished) {
    state.stage = Stage::kCutOff;
    return state;
  }
  const std::string weights = sha256_of_file(run / "best.safetensors");
  std::erase_if(state.to_evaluate, [&](const PlannedEvaluation& planned) {
    return is_current(read_json(record_path(results, plan, planned)), planned, run, weights);
  });
  state.stage = state.to_evaluate.empty() ? Stage::kFinished : Stage::kTrained;
  return state;
}

std::string finished_record(json record, const PlannedRun& plan, const PlannedEvaluation& planned,
                            const fs::path& run, const Expectation& trained, double seconds) {
  record["cell"] = {{"version", kRecordVersion},
                    {"preset", plan.preset},
                    {"method", planned.method},
                    {"ablation", plan.ablation},
                    {"purpose", planned.purpose},
                    {"arguments", planned.arguments},
                    {"weights", sha256_of_file(run / "best.safetensors")},
                    {"seconds", seconds}};
  if (planned.purpose.empty()) {
    record["training"] = training_summary(run);
    record["timing"]["training"] = training_cost(run);
    if (record["timing"]["training"].is_object()) record["timing"]["training"]["batch"] = trained.batch;
  }
  // Readable, with a line per value, except for the curves and pictures, which are only plotted.
  std::string text = "{";
  for (const auto& [key, value] : record.items()) {
    const bool bulky = key == "training" || key == "examples";
    text += fmt::format("{}\n {}: ", text.size() > 1 ? "," : "", json(key).dump());
    for (char c : bulky ? value.dump() : value.dump(1)) {
      text += c;
      if (c == '\n') text += ' ';
    }
  }
  return text + "\n}\n";
}

}  // namespace neo
