#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/pair_file.h"
#include "data/pair_file_source.h"

namespace neo {

struct ImportOptions {
  std::vector<std::filesystem::path> sources;  // files or folders, see open_sources
  std::filesystem::path out;
  std::optional<Layout> as;             // empty: inferred
  int64_t values = 0;                   // how many there are; 0: as many as occur
  int64_t least_lag = 1, most_lag = 3;  // steps between the observations of a trajectory's pair
  std::string group;                    // column or key that names groups; empty: "group"
  std::string field;                    // which observations, if a file has several
  double hold_out = 0.1;                // share of units; 0: none
  uint64_t seed = 42;
  bool is_quiet = false;  // no progress
};

// What the import found.
struct ImportReport {
  std::filesystem::path out;
  PairFileInfo info;
  std::vector<std::string> sources;
  std::string unit;  // what was held out whole: "trajectories", "groups", "files", "different pairs"
  int64_t units = 0, held_units = 0;
  int64_t groups = 0;
  double unchanged = 0;    // share of pairs with y = x
  int64_t duplicates = 0;  // pairs that occurred before
  int64_t shared = 0;      // pairs held out that are also among the others
  std::vector<std::string> notes, warnings;

  std::string paragraph() const;  // human-readable, 80 columns
  nlohmann::json json() const;    // `pairs` are all, `held_out` of them held out
};

// Reads the sources twice, first to see what observations are, then to write them. Memory stays bounded: 16
// bytes a pair and some blocks. An Error names file, row and remedy; nothing is left under the final name.
ImportReport import_pairs(const ImportOptions& options);

}  // namespace neo
