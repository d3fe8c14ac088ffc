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
  return std::log(static_cast<double>(x.size()) + 1) + difference_cost(x.size(), changed_cells(x, y), values);
}

double saved_by(const Operation& operation, std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values) {
  return baseline_cost(x, y, values) - kUse - difference_cost(x.size(), operation.wrong_cells(x, y), values);
}

}  // namespace neo
