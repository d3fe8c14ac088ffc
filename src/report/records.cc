#include "report/records.h"

#include <algorithm>
#include <map>

#include "benchmark/benchmark.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "report/plan.h"
#include "report/training.h"
#include "report/variants.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
constexpr size_t kLargestRecord = size_t{1} << 28;

// Sampling (or the beam over images) makes NEO-S of NEO; any other search is a method of its own in the
// tables.
std::string method_of(const json& row) {
  auto method = row.at("method").get<std::string>();
  const auto search = row.value("search", "greedy");
  if (search == "greedy" || search == "sample" || search == "beam") return method;
  if (method.ends_with("-s")) method.resize(method.size() - 2);
  return method + "-" + search + (row.value("query_probe", true) ? "" : "-blind");
}

std::optional<double> score_at(const json& row, const char* key) {
  const auto value = row.find(key);
  if (value == row.end() || value->is_null()) return std::nullopt;
  return value->get<double>();
}

// Earlier versions wrote "world".
std::string benchmark_in(const json& content) {
  for (const char* key : {"benchmark", "world"}) {
    if (content.contains(key) && !content.at(key).is_null()) return content.at(key).get<std::string>();
  }
  return "";
}

Kind kind_in(const json& content, const std::string& benchmark, const fs::path& path) {
  if (const Benchmark* known = find_benchmark(benchmark)) return known->space().kind;
  if (content.contains("space")) return space_from_json(content.at("space"), path.string()).kind;
  return Kind::categorical;
}

RecordRow row_of(const json& row) {
  return {.split = row.at("name"),
          .method = method_of(row),
          .temperature = row.value("temperature", 0.0),
          .budget = row.value("budget", int64_t{1}),
          .calls = row.value("calls", int64_t{0}),
          .episodes = row.at("episodes"),
          .hard_grounding = row.value("hard_grounding", true),
          .self = score_at(row, "self"),
          .transfer = score_at(row, "transfer"),
          .mean_length = row.value("mean_length", 0.0)};
}

bool looks_like_record(const fs::path& path) {
  return path.extension() == ".json" && path.filename() != "manifest.json";
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// eval.json has the name of its run; eval-<method>.json that and the method.
std::string name_in_run(const fs::path& path) {
  return path.parent_path().filename().string() +
         path.stem().string().substr(std::string_view("eval").size());
}

void collect_from(const fs::path& place, std::map<std::string, Record>& into) {
  const auto add = [&](Record record) { into.try_emplace(record.name, std::move(record)); };
  if (!fs::exists(place)) fail("there is no {}; name a results folder or a run folder", place.string());
  if (fs::is_regular_file(place)) return add(read_record(place));
  if (holds_run(place)) {
    for (const fs::path& entry : sorted_entries(place)) {
      if (entry.filename().string().starts_with("eval") && entry.extension() == ".json")
        add(read_record(entry));
    }
    return;
  }
  for (const fs::path& entry : sorted_entries(place)) {
    if (fs::is_directory(entry))
      collect_from(entry, into);
    else if (looks_like_record(entry))
      add(read_record(entry));
  }
}

}  // namespace

Record read_record(const fs::path& path) {
  json content = json::parse(read_file(path, kLargestRecord), nullptr, /*allow_exceptions=*/false);
  if (!content.is_object()) fail("{} is damaged: it is no JSON object", path.string());
  Record record;
  const fs::path folder = path.parent_path();
  const bool in_run = path.filename().string().starts_with("eval") && holds_run(folder);
  record.name = in_run ? name_in_run(path) : path.stem().string();
  try {
    record.benchmark = benchmark_in(content);
    record.kind = kind_in(content, record.benchmark, path);
    record.variant.grouped = content.value("grouped", false);
    record.preset = content.at("preset");
    record.alpha = content.value("alpha", 1.0);
    record.seed = content.at("seed");
    for (const json& row : content.at("splits")) record.rows.push_back(row_of(row));
    record.method = content.value("method", record.method);
    if (const auto cell = content.find("cell"); cell != content.end()) {
      record.preset = cell->value("preset", record.preset);
      record.method = cell->value("method", record.method);
      record.ablation = cell->value("ablation", "");
      record.purpose = cell->value("purpose", "");
    }
  } catch (const json::exception& error) {
    fail("{} is no record of `neo eval`: {}", path.string(), error.what());
  }
  record.variant.development = is_development(record.benchmark, record.preset, record.seed);
  if (in_run && !content.contains("training")) content["training"] = training_summary(folder);
  record.json = std::move(content);
  return record;
}

std::vector<Record> collect_records(const std::vector<fs::path>& places) {
  std::map<std::string, Record> found;
  for (const fs::path& place : places) collect_from(place, found);
  std::vector<Record> records;
  for (auto& [name, record] : found) records.push_back(std::move(record));
  name_differences(records);
  return records;
}

bool default_grounding(Kind kind) { return kind == Kind::categorical; }

const RecordRow* headline_row(const Record& record, const std::string& split, const std::string& method) {
  const RecordRow* best = nullptr;
  for (const RecordRow& row : record.rows) {
    if (row.split != split || row.method != method || row.hard_grounding != default_grounding(record.kind))
      continue;
    const bool larger =
        best != nullptr && std::pair(row.budget, row.calls) > std::pair(best->budget, best->calls);
    if (best == nullptr || (larger && row.temperature == best->temperature)) best = &row;
  }
  return best;
}

}  // namespace neo
