#include "train/events.h"

#include <algorithm>

namespace neo {
namespace {

bool are_counts(const nlohmann::json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const auto& part) { return part.is_number_integer(); });
}

void add_value(EventFile& events, const std::string& tag, const nlohmann::json& value, int64_t step) {
  if (value.is_object()) {
    for (const auto& [name, part] : value.items()) add_value(events, tag + "/" + name, part, step);
  } else if (value.is_number() || value.is_boolean()) {
    events.add_scalar(tag, step, value.is_boolean() ? static_cast<double>(value.get<bool>()) : value.get<double>());
  } else if (are_counts(value)) {
    events.add_counts(tag, step, value.get<std::vector<int64_t>>());
  }
}

}  // namespace

void add_record(EventFile& events, const nlohmann::json& record, int64_t step) {
  const std::string prefix = record.contains("step") ? "" : "epoch/";  // the mean of a pass over the data
  for (const auto& [name, value] : record.items())
    if (name != "step" && name != "epoch") add_value(events, prefix + name, value, step);
}

}  // namespace neo
