// Observations from files: View::parse and the readers behind it.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "data/npy.h"
#include "view/layouts.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMostText = size_t{64} << 20;
constexpr size_t kMostJson = size_t{4} << 20;  // an observation has at most 65,536 elements
constexpr int kDeepestJson = 4;
constexpr size_t kLongestName = 4096;

// Whether a text looks like the name of a file that has a reader.
bool has_reader(std::string_view text) {
  if (text.size() > kLongestName || text.find('\n') != std::string_view::npos) return false;
  const std::string name = lowercase(text);
  return name.ends_with(".npy") || name.ends_with(".json") || name.ends_with(".png");
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return fs::is_regular_file(name, ignored);
}

nlohmann::json read_json(const fs::path& path) {
  try {
    return nlohmann::json::parse(read_file(path, kMostJson),
                                 [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
                                   if (depth > kDeepestJson)
                                     fail_usage("lists within lists deeper than {} levels", kDeepestJson);
                                   return true;
                                 });
  } catch (const nlohmann::json::exception&) {
    fail_usage("not JSON; write nested lists, a number or a string");
  }
}

// The shape of nested lists: at each depth the longest.
void measure(const nlohmann::json& json, size_t depth, std::vector<int64_t>& shape) {
  if (!json.is_array()) {
    if (depth < shape.size()) fail_usage("numbers and lists stand beside each other in a list");
    return;
  }
  if (depth == shape.size()) shape.push_back(0);
  shape[depth] = std::max(shape[depth], static_cast<int64_t>(json.size()));
  for (const auto& part : json) measure(part, depth + 1, shape);
}

double leaf_value(const nlohmann::json& leaf, const Symbols& symbols) {
  if (leaf.is_number()) return leaf.get<double>();
  if (leaf.is_boolean()) return leaf.get<bool>() ? 1 : 0;
  if (!leaf.is_string()) fail_usage("a list holds something that is not a number");
  const auto value = symbols.find(leaf.get_ref<const std::string&>());
  if (!value) fail_usage("'{}' is not known here", printable(leaf.get_ref<const std::string&>(), 40));
  return static_cast<double>(*value);
}

// Fills [offset, ...) of the array; what short lists lack stays NaN.
void fill_array(const nlohmann::json& json, size_t depth, size_t offset, const Symbols& symbols,
                Array& array) {
  if (!json.is_array()) {
    if (depth != array.shape.size()) fail_usage("numbers and lists stand beside each other in a list");
    array.values[offset] = leaf_value(json, symbols);
    array.is_real |= json.is_number_float();
    return;
  }
  size_t part = 1;
  for (size_t d = depth + 1; d < array.shape.size(); ++d) part *= static_cast<size_t>(array.shape[d]);
  for (size_t i = 0; i < json.size(); ++i) fill_array(json[i], depth + 1, offset + i * part, symbols, array);
}

Array array_of(const nlohmann::json& json, const Space& space) {
  constexpr int64_t kMost = 1 << 20;
  Array array;
  measure(json, 0, array.shape);
  int64_t size = 1;
  for (int64_t extent : array.shape) {
    if (extent > kMost / size) fail_usage("lists of more than {} numbers", kMost);
    size *= std::max<int64_t>(extent, 1);
  }
  array.values.assign(static_cast<size_t>(size), std::nan(""));
  fill_array(json, 0, 0, Symbols(space), array);
  return array;
}

bool are_strings(const nlohmann::json& json) {
  return json.is_array() && !json.empty() &&
         std::all_of(json.begin(), json.end(), [](const auto& part) { return part.is_string(); });
}

// The error of an action, with the file that it is about in front.
template <typename Action>
Observation about_file(const fs::path& path, Action&& action) {
  try {
    return action();
  } catch (const UsageError& error) {
    fail_usage("'{}': {}", printable(path.string()), error.what());
  }
}

}  // namespace

Observation View::from_array(const Array& array, std::string*) const { return conform(array); }

Observation View::from_numbers(const Array& array, std::string* note) const {
  if (std::ranges::any_of(array.values, [](double v) { return std::isnan(v); })) refuse("it holds NaN");
  return from_array(array, note);
}

Observation View::from_json(const nlohmann::json& json, std::string* note) const {
  if (json.is_string()) return parse_text(json.get<std::string>());
  if (are_strings(json) && space_.layout == Layout::grid) {  // a row each
    std::string text;
    for (const auto& row : json) text += row.get<std::string>() + '\n';
    return parse_text(text);
  }
  return from_array(array_of(json, space_), note);
}

Observation View::from_picture(const fs::path&, std::string*) const {
  refuse("a picture cannot be read as this kind of observation");
}

Observation View::from_named_file(const fs::path& path, std::string* note) const {
  const std::string name = lowercase(path.string());
  return about_file(path, [&] {
    if (name.ends_with(".png")) return from_picture(path, note);
    if (name.ends_with(".npy")) {
      return from_numbers(read_npy(path), note);
    }
    return from_json(read_json(path), note);
  });
}

Observation View::parse(const std::string& text, std::string* note) const {
  const bool at = text.starts_with('@');
  const std::string name(trimmed(at ? std::string_view(text).substr(1) : std::string_view(text)));
  if (has_reader(name)) {
    if (is_file(name)) return from_named_file(name, note);
    // Symbols may spell anything, also what looks like a name.
    if (at || space_.symbols.empty()) refuse(fmt::format("there is no file '{}'", printable(name)));
  }
  if (!at) {
    try {
      return parse_text(text);
    } catch (const UsageError&) {
      if (!is_file(name)) throw;
    }
  }
  const std::string content = read_file(name, kMostText);
  return about_file(name, [&] { return parse_text(content); });
}

}  // namespace neo
