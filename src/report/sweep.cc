#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/error.h"
#include "core/table.h"
#include "core/text.h"
#include "report/cell_state.h"
#include "report/selection.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> values_of(const std::string& setting) {
  const size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    fail_usage("'{}' is no setting; write --set key=value,value", printable(setting, 60));
  const std::string key = setting.substr(0, equals + 1);
  std::vector<std::string> assignments;
  for (size_t from = equals + 1; from <= setting.size();) {
    const size_t comma = std::min(setting.find(',', from), setting.size());
    assignments.push_back(key + setting.substr(from, comma - from));
    from = comma + 1;
  }
  return assignments;
}

std::string file_name(std::string text) {
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '=' && c != '-') c = '_';
  }
  return text;
}

// What is varied, "codes=3 steps=20": the last word of a key says enough where no other setting ends in it.
std::string label_of(const std::vector<std::string>& point, const std::vector<std::string>& settings) {
  std::string label;
  for (size_t i = 0; i < point.size(); ++i) {
    if (values_of(settings[i]).size() < 2) continue;
    const size_t dot = point[i].rfind('.', point[i].find('='));
    label += (label.empty() ? "" : " ") + (dot == std::string::npos ? point[i] : point[i].substr(dot + 1));
  }
  return label;
}

struct Row {
  std::string label;
  std::vector<std::string> settings;
  Estimate primitiveness;
  std::vector<std::pair<std::string, Estimate>> transfer;  // by split
};

std::vector<Row> rows_of(const SweepRequest& request, const fs::path& results) {
  const auto plan = plan_sweep(request);
  std::vector<Row> rows;
  for (const auto& point : sweep_points(request.settings)) {
    std::vector<Record> records;
    for (const PlannedRun& run : plan) {
      const fs::path path = record_path(results, run, run.evaluations.front());
      if (run.settings == point && fs::exists(path)) records.push_back(read_record(path));
    }
    std::vector<const Record*> chosen;
    for (const Record& record : records) chosen.push_back(&record);
    Row row{.label = label_of(point, request.settings), .settings = point};
    row.primitiveness =
        estimate(chosen, [](const Record& r) { return number_at(r.json, "/vocabulary/primitiveness"); });
    for (const std::string& split : benchmark_named(request.benchmark).splits(request.alpha)) {
      row.transfer.emplace_back(split, estimate(chosen, [&](const Record& r) -> std::optional<double> {
                                  const RecordRow* headline = headline_row(r, split, request.method);
                                  return headline ? headline->transfer : std::nullopt;
                                }));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string shown(const Estimate& e) {
  if (e.missing()) return "missing";
  if (e.summary.count == 1) return fmt::format("{:.4f}", e.summary.mean);
  return fmt::format("{:.4f}±{:.4f}", e.summary.mean, e.summary.deviation);
}

json to_json(const Estimate& e) {
  if (e.missing()) return nullptr;
  json seeds = json::array();
  for (const SeedValue& s : e.seeds) seeds.push_back({{"seed", s.seed}, {"value", s.value}});
  return {{"mean", e.summary.mean}, {"deviation", e.summary.deviation}, {"seeds", seeds}};
}

}  // namespace

std::vector<std::vector<std::string>> sweep_points(const std::vector<std::string>& settings) {
  std::vector<std::vector<std::string>> points{{}};
  for (const std::string& setting : settings) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& point : points) {
      for (const std::string& assignment : values_of(setting)) {
        longer.push_back(point);
        longer.back().push_back(assignment);
      }
    }
    points = std::move(longer);
  }
  if (points.size() < 2)
    fail_usage("a sweep needs a setting with several values: --set model.quantizer.codes=3,6,12");
  return points;
}

std::vector<PlannedRun> plan_sweep(const SweepRequest& request) {
  std::vector<PlannedRun> runs;
  std::set<std::string> names;
  for (const auto& point : sweep_points(request.settings)) {
    for (uint64_t seed : request.seeds) {
      PlannedRun run{.benchmark = request.benchmark,
                     .preset = request.preset,
                     .method = request.method,
                     .alpha = request.alpha,
                     .seed = seed,
                     .settings = point};
      run.name = file_name(fmt::format("{}-seed{}", fmt::join(point, "-"), seed));
      if (!names.insert(run.name).second)
        fail_usage("the run {} is asked for twice; name every value and every seed once", run.name);
      std::vector<std::string> arguments{"--method", request.method, "--search", "policy"};
      if (request.episodes > 0)
        arguments.insert(arguments.end(), {"--episodes", std::to_string(request.episodes)});
      run.evaluations.push_back({run.name, arguments, request.method, "sweep"});
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::string sweep_table(const SweepRequest& request, const fs::path& results) {
  std::vector<std::vector<std::string>> table;
  for (const Row& row : rows_of(request, results)) {
    if (table.empty()) {
      table.push_back({"", "seeds", "primitive"});
      for (const auto& [split, estimate] : row.transfer) table.back().push_back(split);
    }
    table.push_back({row.label, std::to_string(row.primitiveness.summary.count), shown(row.primitiveness)});
    for (const auto& [split, estimate] : row.transfer) table.back().push_back(shown(estimate));
  }
  return fmt::format("{}, alpha {:.2f}, {}, {}: primitiveness, and transfer by split\n{}", request.benchmark,
                     request.alpha, request.preset, request.method, aligned(table));
}

json sweep_json(const SweepRequest& request, const fs::path& results) {
  json points = json::array();
  for (const Row& row : rows_of(request, results)) {
    json transfer = json::object();
    for (const auto& [split, estimate] : row.transfer) transfer[split] = to_json(estimate);
    points.push_back(
        {{"settings", row.settings}, {"primitiveness", to_json(row.primitiveness)}, {"transfer", transfer}});
  }
  return {{"benchmark", request.benchmark},
          {"preset", request.preset},
          {"method", request.method},
          {"alpha", request.alpha},
          {"points", points}};
}

}  // namespace neo
