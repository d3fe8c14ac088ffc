#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "data/import.h"

namespace neo {

// How a user describes observations; shared by `data import` and `learn`.
struct ImportFlags {
  ImportOptions options;
  std::string as, lags = "1-3";
  ImportOptions resolved() const;  // a UsageError names the wrong flag
};
void add_import_flags(CLI::App& command, ImportFlags& flags);

}  // namespace neo
