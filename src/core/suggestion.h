#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace neo {

// "; did you mean 'train'?" for the end of a message; empty where nothing is near.
inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto meant = nearest(word, candidates);
  return meant && *meant != word ? fmt::format("; did you mean '{}'?", printable(*meant, 60)) : "";
}

}  // namespace neo
