#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// One line of an evaluation record: a split, evaluated in one way.
struct RecordRow {
  std::string split;   // id, comp, length, id-clean, or a file's name
  std::string method;  // that explained: disc-mono, ..., neo, neo-s (sampling or beam), neo-<other search>
  double temperature = 0;
  int64_t budget = 1, calls = 0, episodes = 0;
  bool hard_grounding = true;
  std::optional<double> self, transfer;  // transfer: only where pairs are grouped
  double mean_length = 0;
};

// What sets a record apart from the planned runs. Only records of the same variant are averaged.
struct Variant {
  bool grouped = false;      // training knew which pairs share a program
  bool development = false;  // not one of the planned seeds: recipes were made while looking at it
  std::string settings;      // "steps=20": what differs from the preset, or between records; empty: nothing
  bool is_planned() const { return *this == Variant{}; }
  auto operator<=>(const Variant&) const = default;
};

// The result of `neo eval` for one theory, stored as results/<benchmark>/<name>.json or in a run folder as
// eval.json or eval-<method>.json.
struct Record {
  std::string name;               // of the run, as figures cite it
  std::string benchmark, preset;  // benchmark: empty for own data
  std::string method = "neo";     // as which it was trained
  std::string ablation;           // empty: none
  std::string purpose;            // empty: the benchmark; "temperatures": a sweep of NEO-S
  double alpha = 0;
  uint64_t seed = 0;
  Variant variant;
  Kind kind = Kind::categorical;
  std::vector<RecordRow> rows;
  nlohmann::json json;  // all of it

  bool is_main() const { return ablation.empty() && purpose.empty(); }
};

// An Error names the file and what is wrong with it.
Record read_record(const std::filesystem::path& path);

// All records of the given places, each a results folder (searched for *.json), a run folder, a folder of run
// folders, or a single record. Sorted by name; of several records with the same name, the first one counts.
// Settings by which records of one preset, method and alpha differ are named in their variants.
std::vector<Record> collect_records(const std::vector<std::filesystem::path>& places);

// The row of a record that goes into the tables: with the default grounding, the largest budget (of draws,
// then of calls), and at that the record's first temperature. Null when there is none.
const RecordRow* headline_row(const Record& record, const std::string& split, const std::string& method);
// Whether evaluation continues from re-encoded hard predictions by default: where there are exact answers.
bool default_grounding(Kind kind);

}  // namespace neo
