#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/testing.h"

// For tests only.
namespace neo::testing {

// A 5x5 world of one cell that moves left or right.
inline void write_moves(const std::filesystem::path& path) {
  std::ofstream file(path);
  for (int i = 0; i < 300; ++i) {
    const int row = i % 5, column = 1 + i / 5 % 3, to = column + (i % 2 == 0 ? 1 : -1);
    const auto grid = [&](int at) {
      nlohmann::json rows = nlohmann::json::array();
      for (int r = 0; r < 5; ++r) {
        rows.push_back(nlohmann::json::array());
        for (int c = 0; c < 5; ++c) rows.back().push_back(r == row && c == at ? 1 + i % 3 : 0);
      }
      return rows;
    };
    file << nlohmann::json{{"x", grid(column)}, {"y", grid(to)}, {"program", i % 2 == 0 ? "right" : "left"}}.dump()
         << "\n";
  }
}

class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& path) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  ~InFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

}  // namespace neo::testing
