#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "worlds/world.h"

namespace neo {

// How observations travel: one text each. Grids and numbers as their digits, row by row ("000012"), images as
// base64 of their 32x32 RGB bytes.
std::string observation_text(const World& world, ObservationView observation);
// Throws an Error that says what was expected.
Observation observation_from_text(const World& world, std::string_view text);

std::string base64_encode(ObservationView bytes);
// Strict (RFC 4648 with padding); throws Error.
Observation base64_decode(std::string_view text);

// The request's JSON, or an Error: not JSON, not UTF-8, nested deeper than 8.
nlohmann::json parse_json(std::string_view text);

}  // namespace neo
