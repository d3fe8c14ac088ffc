#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// Own data of one size: what `neo learn` without counting would take, with the preset of its layout.
struct GrowthCase {
  std::string what;  // which size doubles: "pairs", "side", "codes", "length", "image"
  int64_t size = 0;
  double work = 1;  // of a pair, relative to the one before; the first: 1
  Space space;
  int64_t pairs = 0, batch = 0;
  std::vector<std::string> settings;
};
// Every series from its smallest size to its largest, one after the other.
std::vector<GrowthCase> growth_cases();

// Costs of a pair.
struct GrowthPoint {
  std::string what;
  int64_t size = 0;
  double work = 1;
  double fit = 0, train = 0, explain = 0;  // milliseconds: the observation model, a training step, the policy
  std::optional<double> kilobytes;         // at the peak; unknown where the system does not tell
};
GrowthPoint measure_growth(const GrowthCase& of);

nlohmann::json to_json(const GrowthPoint& point);
// With a sentence on whatever grew faster than its work.
std::string table(const std::vector<GrowthPoint>& points);
std::vector<std::string> faster_than_work(const std::vector<GrowthPoint>& points);

}  // namespace neo
