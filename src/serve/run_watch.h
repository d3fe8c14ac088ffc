#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace neo {

// Follows a training from outside, by what it writes into its run folder.
class RunWatch {
 public:
  explicit RunWatch(std::filesystem::path run) : run_(std::move(run)) {}

  // Reads what was added to metrics.jsonl since the last call. A run that was resumed may have dropped records.
  void look();
  int64_t step() const { return points_.empty() ? 0 : points_.back().step; }
  // [step, loss, share solved] of at most so many steps, evenly chosen, the last among them.
  nlohmann::json curve(size_t most) const;

 private:
  struct Point {
    int64_t step;
    double loss, solved;
  };
  void add(std::string_view line);

  std::filesystem::path run_;
  std::vector<Point> points_;
  uintmax_t read_ = 0;  // bytes
};

}  // namespace neo
