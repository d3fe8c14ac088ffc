#include "report/selection.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "report/published.h"

namespace neo {
namespace {

// Of this preset every run is wanted; of others there is what was made.
constexpr const char* kWholeMatrix = "fast";

void add_selections(const std::vector<Record>& records, const Subject& subject, std::vector<Selection>& to) {
  const size_t first = to.size();
  for (const Record& record : records) {
    if (record.benchmark != subject.name || !record.is_main()) continue;
    auto found = std::find_if(to.begin() + static_cast<std::ptrdiff_t>(first), to.end(),
                              [&](const Selection& s) { return s.preset == record.preset; });
    if (found == to.end()) found = to.insert(to.end(), {subject, record.preset, {}});
    found->records.push_back(&record);
  }
}

// Of a method that is not listed: a baseline with a search of its own is that baseline, sampled.
std::string title_of(const std::string& name, const std::vector<Method>& methods) {
  for (const Method& method : methods) {
    if (name == method.name + "-s") return method.title + ", sampled";
  }
  return name.starts_with("neo-") ? "NEO, " + name.substr(4) : name;
}

}  // namespace

Estimate estimate(const std::vector<const Record*>& records,
                  const std::function<std::optional<double>(const Record&)>& value_of) {
  Estimate estimate;
  std::vector<double> values;
  for (const Record* record : records) {
    const auto value = value_of(*record);
    if (!value) continue;
    estimate.seeds.push_back({record->seed, *value, record->name});
    values.push_back(*value);
  }
  std::ranges::sort(estimate.seeds, {}, &SeedValue::seed);
  estimate.summary = summarize(values);
  return estimate;
}

std::optional<double> number_at(const nlohmann::json& json, const char* pointer) {
  const nlohmann::json::json_pointer path(pointer);
  if (!json.contains(path) || !json.at(path).is_number()) return std::nullopt;
  return json.at(path).get<double>();
}

bool Selection::is_whole_matrix() const { return subject.benchmark && preset == kWholeMatrix; }

std::vector<double> Selection::alphas() const {
  if (subject.benchmark) return {0.33, 0.66, 1.00};
  std::set<double> found;
  for (const Record* record : records) found.insert(record->alpha);
  return {found.begin(), found.end()};
}

std::vector<std::string> Selection::splits(double alpha) const {
  if (subject.benchmark) return subject.benchmark->splits(alpha);
  std::vector<std::string> found;
  for (const Record* record : records) {
    for (const RecordRow& row : record->rows) {
      if (std::ranges::find(found, row.split) == found.end()) found.push_back(row.split);
    }
  }
  return found;
}

std::vector<const Record*> Selection::at(double alpha, bool grouped) const {
  std::vector<const Record*> chosen;
  for (const Record* record : records) {
    if (same_alpha(record->alpha, alpha) && record->grouped == grouped) chosen.push_back(record);
  }
  return chosen;
}

std::vector<Selection> selections(const std::vector<Record>& records) {
  std::vector<Selection> all;
  for (const Benchmark* benchmark : benchmarks())
    add_selections(records, {std::string(benchmark->name()), benchmark, benchmark->space().kind}, all);
  std::set<std::string> others;
  for (const Record& record : records) {
    if (!find_benchmark(record.benchmark) && others.insert(record.benchmark).second)
      add_selections(records, {record.benchmark, nullptr, record.kind}, all);
  }
  return all;
}

std::vector<Method> shown_methods(const Selection& selection, std::vector<Method> methods) {
  methods.push_back({"neo-s", "neo", less_is_better(selection.subject.kind) ? "NEO, beam" : "NEO-S"});
  for (const Record* record : selection.records) {
    for (const RecordRow& row : record->rows) {
      if (std::ranges::find(methods, row.method, &Method::name) == methods.end())
        methods.push_back({row.method, record->method, title_of(row.method, methods)});
    }
  }
  return methods;
}

std::string method_title(const Method& method, bool grouped) {
  return grouped ? method.title + ", grouped" : method.title;
}

std::string split_title(const std::string& split) {
  if (split == "id") return "ID";
  if (split == "id-clean") return "ID, clean";
  if (split == "comp") return "compositional OOD";
  if (split == "length") return "length OOD";
  return split;
}

std::string benchmark_title(const std::string& name) {
  if (const Benchmark* benchmark = find_benchmark(name)) return std::string(benchmark->title());
  return name.empty() ? "own data" : name;
}

}  // namespace neo
