#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/files.h"

// For tests only.
namespace neo::testing {

// `text` must be what tests/golden/<name> holds. NEO_UPDATE_GOLDEN=1 writes it instead; review the diff.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(NEO_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("NEO_UPDATE_GOLDEN")) write_file_atomically(path, text);
  EXPECT_EQ(text, read_file(path)) << "NEO_UPDATE_GOLDEN=1 writes " << path;
}

}  // namespace neo::testing
