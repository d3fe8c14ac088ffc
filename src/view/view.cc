#include "view/view.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "view/layouts.h"

namespace neo {
namespace {

std::string position(const Space& space, int64_t element) {
  if (space.shape.size() == 1) return fmt::format("at place {}", element + 1);
  const int64_t cell = element / space.channels();
  return fmt::format("in row {}, column {}", cell / space.columns() + 1, cell % space.columns() + 1);
}

std::string_view elements_of(Layout layout) {
  switch (layout) {
    case Layout::grid: return "cells";
    case Layout::sequence: return "tokens";
    case Layout::number: return "digits";
    case Layout::image: return "pixels";
    case Layout::vector: return "numbers";
  }
  return "elements";
}

std::string sizes_text(const std::vector<int64_t>& shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, "x"));
}

// Without dimensions of one where there are too many, with one for the only channel where it is missing.
std::vector<int64_t> settled_shape(std::vector<int64_t> shape, const Space& space) {
  while (shape.size() > space.shape.size() && shape.back() == 1) shape.pop_back();
  while (shape.size() > space.shape.size() && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() == 2 && space.shape.size() == 3 && space.channels() == 1) shape.push_back(1);
  if (shape.empty() && space.size() == 1) shape = space.shape;
  return shape;
}

bool fits_into(const std::vector<int64_t>& shape, const Space& space) {
  if (!space.padded || shape.size() != space.shape.size()) return false;
  if (shape.size() == 3 && shape[2] != space.shape[2]) return false;
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] < 1 || shape[d] > space.shape[d]) return false;
  return true;
}

// The array in the upper left corner of one of the space's shape, NaN elsewhere.
std::vector<double> enlarged(const Array& array, const std::vector<int64_t>& shape, const Space& space) {
  const int64_t rows = shape.size() == 1 ? 1 : shape[0];
  const int64_t row_size = static_cast<int64_t>(array.values.size()) / rows;
  const int64_t full_row = space.columns() * space.channels();
  std::vector<double> values(static_cast<size_t>(space.size()), std::nan(""));
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(array.values.begin() + row * row_size, row_size, values.begin() + row * full_row);
  return values;
}

nlohmann::json nested(const Space& space, std::span<const double> values, size_t dimension) {
  nlohmann::json list = nlohmann::json::array();
  if (dimension == space.shape.size()) {
    // 0.1 as people write it, not as the nearest float is in full.
    if (space.kind == Kind::real) return *real_number(fmt::format("{}", static_cast<float>(values[0])));
    return static_cast<int64_t>(values[0]);
  }
  const size_t part = values.size() / static_cast<size_t>(space.shape[dimension]);
  for (size_t i = 0; i < values.size(); i += part)
    list.push_back(nested(space, values.subspan(i, part), dimension + 1));
  return list;
}

}  // namespace

void View::refuse(const std::string& what) const { fail_usage("{}; expected {}", what, expectation()); }

int64_t View::writable_values(int64_t element) const {
  return space_.kind == Kind::pixels ? 256 : space_.values_at(element) - (space_.padded ? 1 : 0);
}

Observation View::conform(const Array& array) const {
  const auto shape = settled_shape(array.shape, space_);
  std::vector<double> values = array.values;
  const bool is_flat = shape.size() == 1 && shape[0] == space_.size();
  if (shape != space_.shape && !is_flat) {
    if (!fits_into(shape, space_)) refuse(fmt::format("numbers of shape {}", sizes_text(array.shape)));
    values = enlarged(array, shape, space_);
  }
  if (space_.kind == Kind::real) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(static_cast<float>(values[i])))
        refuse(fmt::format("the number {} is not finite or too large",
                           position(space_, static_cast<int64_t>(i))));
    }
    return observation_of(space_, values);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const auto element = static_cast<int64_t>(i);
    if (std::isnan(values[i]) && space_.padded) {
      values[i] = static_cast<double>(space_.values_at(element) - 1);
      continue;
    }
    if (std::isnan(values[i])) refuse("rows of different lengths");
    const auto most = static_cast<double>(space_.kind == Kind::pixels ? 256 : space_.values_at(element));
    if (!(values[i] >= 0 && values[i] < most) || values[i] != std::floor(values[i]))
      refuse(fmt::format("{} {} is not one of 0 to {}", values[i], position(space_, element),
                         writable_values(element) - 1));
  }
  return observation_of(space_, values);
}

nlohmann::json View::json(ObservationView observation) const {
  return nested(space_, values_of(space_, observation), 0);
}

std::unique_ptr<View> make_view(const Space& space) {
  switch (space.layout) {
    case Layout::grid:
      return std::make_unique<GridView>(space);
    case Layout::sequence:
      return std::make_unique<SequenceView>(space);
    case Layout::number:
      return std::make_unique<NumberView>(space);
    case Layout::image:
      return std::make_unique<ImageView>(space);
    case Layout::vector:
      return std::make_unique<VectorView>(space);
  }
  fail("an observation of no known layout");
}

std::string View::extent_of(const std::vector<Change>& changes) const {
  constexpr double kSeen = 0.03;  // of the range of pixels, or of the largest number
  double changed = 0, all = 0;
  for (const auto& [before, after] : changes) {
    const auto from = values_of(space_, before), to = values_of(space_, after);
    double range = space_.kind == Kind::pixels ? 255 : 0;
    if (space_.kind == Kind::real)
      for (double value : from) range = std::max(range, std::abs(value));
    const auto channels = static_cast<size_t>(space_.channels());
    for (size_t cell = 0; cell < from.size(); cell += channels, ++all) {
      bool differs = false;
      for (size_t i = cell; i < cell + channels; ++i) differs |= std::abs(from[i] - to[i]) > kSeen * range;
      changed += differs;
    }
  }
  return all > 0 ? fmt::format("changes {:.0f} % of {}", 100 * changed / all, elements_of(space_.layout)) : "";
}

}  // namespace neo
