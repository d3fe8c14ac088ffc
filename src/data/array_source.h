#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/raw_pair.h"
#include "data/trajectory.h"

namespace neo {

// Two arrays [n, ...] of the same count, each in a .npy file.
std::unique_ptr<PairSource> open_npy_pair(const std::filesystem::path& x, const std::filesystem::path& y);

struct NpzOptions {
  std::string group;  // the array that names groups; empty: "group" where there is one
  std::string field;  // the array of observations; empty: "observations"
  Lags lags;
};
// Arrays x and y [n, ...], optionally group and program [n]; or observations [t, ...] with `episode` numbers
// [t] or `ends` flags [t], which are trajectories.
std::unique_ptr<PairSource> open_npz(const std::filesystem::path& path, const NpzOptions& options);

}  // namespace neo
