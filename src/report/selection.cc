#include "report/selection.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "report/plan.h"
#include "report/published.h"

namespace neo {
namespace {

void add_selections(const std::vector<Record>& records, const Subject& subject, std::vector<Selection>& to) {
  const size_t first = to.size();
  const bool any = std::ranges::any_of(records, [&](const Record& r) { return r.benchmark == subject.name; });
  if (subject.benchmark && any) {
    for (const std::string& preset : planned_presets(*subject.benchmark)) to.push_back({subject, preset, {}});
  }
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
  if (name == "neo-best-first-blind") return "NEO, best-first that does not see the query";
  return name.starts_with("neo-") ? "NEO, " + name.substr(4) : name;
}

}  // namespace

Estimate estimate(const std::vector<const Record*>& records,
                  const std::function<std::optional<double>(const Record&)>& value_of) {
  Estimate estimate;
  std::vector<double> values;
  std::map<std::pair<double, uint64_t>, std::string> seen;  // by alpha and seed
  for (const Record* record : records) {
    const auto value = value_of(*record);
    if (!value) continue;
    const auto [other, first] = seen.try_emplace({record->alpha, record->seed}, record->name);
    if (!first)
      fail(
          "{} and {} have the same settings and the same seed, {}, so that they are no two seeds; report "
          "only one",
          other->second, record->name, record->seed);
    estimate.seeds.push_back({record->seed, *value, record->name});
    values.push_back(*value);
  }
  std::ranges::sort(estimate.seeds, {}, &SeedValue::seed);
  estimate.summary = summarize(values);
  return estimate;
}

std::optional<double> number_at(const nlohmann::json& record, const char* pointer) {
  const nlohmann::json::json_pointer path(pointer);
  if (!record.contains(path) || !record.at(path).is_number()) return std::nullopt;
  return record.at(path).get<double>();
}

bool Selection::is_planned() const {
  if (!subject.benchmark) return false;
  const auto planned = planned_presets(*subject.benchmark);
  return std::ranges::find(planned, preset) != planned.end();
}

size_t Selection::planned_seeds() const { return is_planned() ? neo::planned_seeds(preset).size() : 0; }

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

std::vector<Variant> Selection::variants() const {
  std::set<Variant> found;
  for (const Record* record : records) found.insert(record->variant);
  found.erase(Variant{});
  std::vector<Variant> all{Variant{}};
  all.insert(all.end(), found.begin(), found.end());
  return all;
}

std::vector<const Record*> Selection::at(double alpha, const Variant& variant) const {
  std::vector<const Record*> chosen;
  for (const Record* record : records) {
    if (same_alpha(record->alpha, alpha) && record->variant == variant) chosen.push_back(record);
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

bool is_of_ablation(const Record& record, const Benchmark& benchmark, const Ablation& ablation) {
  const bool unchanged = ablation.settings.empty() && record.is_main() && record.method == "neo";
  return record.benchmark == benchmark.name() && record.preset == ablation.preset &&
         (record.ablation == ablation.name || unchanged) && same_alpha(record.alpha, ablation.alpha);
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

std::string variant_title(const std::string& title, const Variant& variant) {
  return title + (variant.grouped ? ", grouped" : "") + (variant.development ? ", development seeds" : "") +
         (variant.settings.empty() ? "" : ", " + variant.settings);
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
