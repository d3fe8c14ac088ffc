#include "serve/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "core/text.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr std::array kKeywords{"type",      "properties",  "required", "additionalProperties",
                               "items",     "minItems",    "maxItems", "minLength",
                               "maxLength", "minimum",     "maximum",  "enum",
                               "$ref",      "description", "example",  "default",
                               "title"};

void require_known_keywords(const json& schema) {
  for (const auto& [key, ignored] : schema.items()) {
    if (std::find(kKeywords.begin(), kKeywords.end(), key) == kKeywords.end())
      throw std::logic_error("the OpenAPI document uses a keyword that is not checked: " + key);
  }
}

const json& resolved(const json& schema, const json& document) {
  const auto ref = schema.find("$ref");
  if (ref == schema.end()) return schema;
  return document.at(json::json_pointer(ref->get<std::string>().substr(1)));  // "#/components/..."
}

std::string at(const std::string& field, const std::string& message) {
  return field.empty() ? message : field + ": " + message;
}

std::string shown(const json& value) {
  return printable(value.dump(-1, ' ', false, json::error_handler_t::replace), 40);
}

bool has_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  throw std::logic_error("the OpenAPI document names an unknown type: " + type);
}

std::string object_error(const json& value, const json& schema, const json& document,
                         const std::string& field) {
  for (const auto& name : schema.value("required", json::array())) {
    if (!value.contains(name.get<std::string>()))
      return at(field, fmt::format("'{}' is missing", name.get<std::string>()));
  }
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, member] : value.items()) {
    if (!properties.contains(name)) {
      if (schema.value("additionalProperties", true)) continue;
      std::vector<std::string> known;
      for (const auto& [key, ignored] : properties.items()) known.push_back(key);
      return at(field, fmt::format("'{}' is not known here; there are: {}", printable(name, 40),
                                   fmt::join(known, ", ")));
    }
    const std::string inside = field.empty() ? name : field + "." + name;
    if (std::string error = schema_error(member, properties[name], document, inside); !error.empty())
      return error;
  }
  return "";
}

std::string array_error(const json& value, const json& schema, const json& document,
                        const std::string& field) {
  if (value.size() < schema.value("minItems", size_t{0}))
    return at(field, fmt::format("it needs at least {} entries", schema["minItems"].get<size_t>()));
  if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<size_t>())
    return at(field,
              fmt::format("it has {} entries, more than {}", value.size(), schema["maxItems"].get<size_t>()));
  if (!schema.contains("items")) return "";
  for (size_t i = 0; i < value.size(); ++i) {
    std::string error = schema_error(value[i], schema["items"], document, fmt::format("{}[{}]", field, i));
    if (!error.empty()) return error;
  }
  return "";
}

std::string string_error(const json& value, const json& schema, const std::string& field) {
  const size_t length = value.get_ref<const std::string&>().size();
  if (length < schema.value("minLength", size_t{0})) return at(field, "the text is too short");
  if (schema.contains("maxLength") && length > schema["maxLength"].get<size_t>())
    return at(field, fmt::format("the text has {} characters, more than {}", length,
                                 schema["maxLength"].get<size_t>()));
  return "";
}

std::string number_error(const json& value, const json& schema, const std::string& field) {
  if (schema.contains("minimum") && value < schema["minimum"])
    return at(field, fmt::format("{} is less than {}", shown(value), schema["minimum"].dump()));
  if (schema.contains("maximum") && value > schema["maximum"])
    return at(field, fmt::format("{} is more than {}", shown(value), schema["maximum"].dump()));
  return "";
}

std::string enum_error(const json& value, const json& choices, const std::string& field) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return "";
  std::vector<std::string> names;
  for (const json& choice : choices) names.push_back(choice.dump());
  return at(field, fmt::format("{} is none of {}", shown(value), fmt::join(names, ", ")));
}

}  // namespace

std::string schema_error(const json& value, const json& given, const json& document,
                         const std::string& field) {
  const json& schema = resolved(given, document);
  require_known_keywords(schema);
  if (schema.contains("type") && !has_type(value, schema["type"])) {
    const std::string type = schema["type"];
    return at(field, fmt::format("{} is no {}", shown(value), type));
  }
  if (schema.contains("enum")) {
    if (std::string error = enum_error(value, schema["enum"], field); !error.empty()) return error;
  }
  if (value.is_object()) return object_error(value, schema, document, field);
  if (value.is_array()) return array_error(value, schema, document, field);
  if (value.is_string()) return string_error(value, schema, field);
  if (value.is_number()) return number_error(value, schema, field);
  return "";
}

}  // namespace neo
