#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace neo {

// The request's JSON, or an Error: not JSON, not UTF-8, nested deeper than 8.
nlohmann::json parse_json(std::string_view text);

}  // namespace neo
