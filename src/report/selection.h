#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark/methods.h"
#include "report/records.h"
#include "report/statistics.h"

// The records that tables are made from, by subject and in order.
namespace neo {

// The value of one seed, and its run.
struct SeedValue {
  uint64_t seed = 0;
  double value = 0;
  std::string run;
};
struct Estimate {
  std::vector<SeedValue> seeds;  // empty: no record yet
  Summary summary;
  bool missing() const { return seeds.empty(); }
};
// Over those records that have a value.
Estimate estimate(const std::vector<const Record*>& records,
                  const std::function<std::optional<double>(const Record&)>& value_of);
std::optional<double> number_at(const nlohmann::json& json, const char* pointer);

// What a table is about: a benchmark, or own data.
struct Subject {
  std::string name;                      // as in Record::benchmark
  const Benchmark* benchmark = nullptr;  // null: own data
  Kind kind = Kind::categorical;
};
// The subject and preset of a table, and the records of its runs, ablations and sweeps excepted.
struct Selection {
  Subject subject;
  std::string preset;
  std::vector<const Record*> records;

  // A missing run is shown as such where every run is wanted: of a benchmark's fast preset.
  bool is_whole_matrix() const;
  std::vector<double> alphas() const;                    // the paper's; of own data those that there are
  std::vector<std::string> splits(double alpha) const;   // to show
  std::vector<const Record*> at(double alpha, bool grouped) const;
};
// In the order of benchmarks(), then own data by name; presets as they come.
std::vector<Selection> selections(const std::vector<Record>& records);

// Methods to show: those given, NEO-S, and whatever else the records hold.
std::vector<Method> shown_methods(const Selection& selection, std::vector<Method> methods);
// "NEO", or "NEO, grouped": beside every figure of a run that knew which pairs share a program.
std::string method_title(const Method& method, bool grouped);

std::string split_title(const std::string& split);         // "ID", "compositional OOD", ...
std::string benchmark_title(const std::string& benchmark);  // its own; of others the name, or "own data"

}  // namespace neo
