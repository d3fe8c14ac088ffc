#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/raw_pair.h"
#include "data/trajectory.h"

namespace neo {

struct SourceOptions {
  std::string group;  // the column, key or array that names groups; empty: "group" where there is one
  std::string field;  // which observations of a file that has several
  Lags lags;
};

// Opens what the user named: files, folders of files, or two .npy files, which are x and y. The format
// follows from the file's name; HDF5 files are told apart by their content. An Error says what is expected.
std::vector<std::unique_ptr<PairSource>> open_sources(const std::vector<std::filesystem::path>& paths,
                                                      const SourceOptions& options);

}  // namespace neo
