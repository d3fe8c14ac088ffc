#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace neo {

// Checks a value against a JSON schema of the kind that our OpenAPI document is written in: type, properties,
// required, additionalProperties (false), items, minItems, maxItems, minLength, maxLength, minimum, maximum,
// enum and $ref into `document`. Any other keyword that would constrain a value is a mistake in the document
// and throws std::logic_error.
//
// Returns what is wrong, in a sentence that begins with the field ("steps: 40 is more than 16"); empty when
// nothing is.
std::string schema_error(const nlohmann::json& value, const nlohmann::json& schema,
                         const nlohmann::json& document, const std::string& field = "");

}  // namespace neo
