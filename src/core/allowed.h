#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace neo {

// What a setting may be; a config struct says it once, last in its line of `visit`, and files, flags, help
// and errors follow. By default any finite number and any text.
struct Allowed {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> words = {};  // of a text; empty: any
  bool holds(double value) const { return value >= least && value <= most && std::isfinite(value); }
  bool is_bounded() const { return std::isfinite(least) && std::isfinite(most); }
};

inline Allowed between(double least, double most) { return {least, most}; }
inline Allowed one_of(std::vector<std::string_view> words) { return {.words = std::move(words)}; }

// Counts that nothing is allocated for: steps of a schedule, pairs to look at.
inline constexpr double kAnyCount = 1LL << 40;

}  // namespace neo
