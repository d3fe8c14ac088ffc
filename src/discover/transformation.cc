#include "discover/transformation.h"

#include <algorithm>
#include <cmath>

namespace neo {
namespace {

// Which of the cells differ, and what they hold.
double difference_cost(size_t all, int64_t differing, int64_t values) {
  const auto cells = static_cast<double>(all), changed = static_cast<double>(differing);
  const double which = changed > 0 ? changed * (std::log(cells / changed) + 1) : 0;
  return which + changed * std::log(std::max<double>(1, static_cast<double>(values - 1)));
}

}  // namespace

double baseline_cost(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values) {
  const auto cells = static_cast<double>(x.size());
  const double by_changes = std::log(cells + 1) + difference_cost(x.size(), changed_cells(x, y), values);
  return std::min(by_changes, cells * std::log(std::max<double>(1, static_cast<double>(values)))) + std::log(2.0);
}

double naming_cost(size_t uses, int64_t pairs) {
  const auto count = static_cast<double>(uses);
  return uses == 0 ? 0 : count * std::log(static_cast<double>(pairs) / count);
}

double saved_by(const Operation& operation, std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values) {
  return baseline_cost(x, y, values) - difference_cost(x.size(), operation.wrong_cells(x, y), values);
}

}  // namespace neo
