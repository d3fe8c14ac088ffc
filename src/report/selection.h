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
// Over those records that have a value. Two of the same seed cannot be averaged: an Error names them.
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

  bool is_planned() const;  // `neo reproduce` runs all of it, so that what has no record is missing
  size_t planned_seeds() const;
  std::vector<double> alphas() const;                   // the paper's; of own data those that there are
  std::vector<std::string> splits(double alpha) const;  // to show
  std::vector<Variant> variants() const;                // the planned one, then what else the records hold
  std::vector<const Record*> at(double alpha, const Variant& variant) const;
};
// In the order of benchmarks(), then own data by name; planned presets, with records or without, then others
// as they come.
std::vector<Selection> selections(const std::vector<Record>& records);

// Whether a record is one of the ablation's. One that changes nothing has the benchmark's own runs of its
// preset, where there is such a preset, and else runs of its own.
bool is_of_ablation(const Record& record, const Benchmark& benchmark, const Ablation& ablation);

// Methods to show: those given, NEO-S, and whatever else the records hold.
std::vector<Method> shown_methods(const Selection& selection, std::vector<Method> methods);
// "NEO", or "NEO, grouped, development seeds, steps=20": beside every figure that is not of a planned run.
std::string variant_title(const std::string& title, const Variant& variant);

std::string split_title(const std::string& split);          // "ID", "compositional OOD", ...
std::string benchmark_title(const std::string& benchmark);  // its own; of others the name, or "own data"

}  // namespace neo
