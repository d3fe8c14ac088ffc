#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace neo {

// One number for every recipe (family and preset): the sum of the losses of a few fixed steps on one thread.
// A recipe that a change to the code does not affect keeps its number.
nlohmann::json recipe_signatures();

// Recipes whose number differs, beyond rounding, from a known one, or that only one of the two has; one text
// each.
std::vector<std::string> signature_differences(const nlohmann::json& found, const nlohmann::json& known);

}  // namespace neo
