#include "core/config.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

using nlohmann::json;

constexpr int64_t kExactInDouble = int64_t{1} << 53;

// ---- assigning a value of the right type and range --------------------------------------------------------

std::string_view wanted(const bool&) { return "true or false"; }
std::string_view wanted(const int&) { return "an integer between -2147483648 and 2147483647"; }
std::string_view wanted(const int64_t&) { return "an integer of at most 64 bits"; }
std::string_view wanted(const double&) { return "a finite number"; }
std::string_view wanted(const std::string&) { return "a string"; }
std::string_view wanted(const std::vector<double>&) { return "an array of finite numbers"; }

bool take(const json& from, bool& to) {
  if (!from.is_boolean()) return false;
  to = from.get<bool>();
  return true;
}

template <typename Integer>
requires(std::is_same_v<Integer, int> || std::is_same_v<Integer, int64_t>) bool take(const json& from,
                                                                                     Integer& to) {
  if (!from.is_number_integer()) return false;
  if (from.is_number_unsigned() && from.get<uint64_t>() > uint64_t{INT64_MAX}) return false;
  const int64_t value = from.get<int64_t>();
  if (value < std::numeric_limits<Integer>::min() || value > std::numeric_limits<Integer>::max())
    return false;
  to = static_cast<Integer>(value);
  return true;
}

bool take(const json& from, double& to) {
  if (int64_t integer = 0; take(from, integer)) {
    if (integer < -kExactInDouble || integer > kExactInDouble) return false;
    to = static_cast<double>(integer);
    return true;
  }
  if (!from.is_number_float() || !std::isfinite(from.get<double>())) return false;
  to = from.get<double>();
  return true;
}

bool take(const json& from, std::string& to) {
  // Bytes that are not UTF-8 could not be written to TOML or JSON again.
  if (!from.is_string() || !is_utf8(from.get_ref<const std::string&>())) return false;
  to = from.get<std::string>();
  return true;
}

bool take(const json& from, std::vector<double>& to) {
  if (!from.is_array()) return false;
  std::vector<double> values(from.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (!take(from[i], values[i])) return false;
  }
  to = std::move(values);
  return true;
}

bool is_allowed(const Allowed& allowed, const std::string& value) {
  return allowed.words.empty() || std::ranges::find(allowed.words, value) != allowed.words.end();
}
bool is_allowed(const Allowed& allowed, double value) { return allowed.holds(value); }
bool is_allowed(const Allowed& allowed, int64_t value) { return allowed.holds(static_cast<double>(value)); }
bool is_allowed(const Allowed& allowed, int value) { return allowed.holds(value); }
bool is_allowed(const Allowed&, bool) { return true; }
bool is_allowed(const Allowed& allowed, const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return allowed.holds(value); });
}

std::string shown(const json& value) {
  if (value.is_string()) return fmt::format("\"{}\"", printable(value.get_ref<const std::string&>()));
  if (value.is_object()) return "a table";
  if (value.is_array()) return "this array";
  if (value.is_null()) return "null or a date";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

void assign(const ConfigField& field, const json& value, const std::string& where) {
  std::visit(
      [&](auto target) {
        if constexpr (std::is_same_v<decltype(target), std::monostate>) {
          fail_usage("{}: `{}` is a table of keys, it cannot be {}", where, field.key, shown(value));
        } else if (!take(value, *target)) {
          fail_usage("{}: `{}` ({}) must be {}, not {}", where, field.key, field.help, wanted(*target),
                     shown(value));
        } else if (!is_allowed(field.allowed, *target)) {
          fail_usage("{}: `{}` ({}) must be {}, not {}", where, field.key, field.help, to_text(field.allowed),
                     shown(value));
        }
      },
      field.value);
}

// ---- unknown keys -----------------------------------------------------------------------------------------

std::string leaf(std::string_view key) { return std::string(key.substr(key.rfind('.') + 1)); }

// A key may be misspelt, or right but in the wrong table.
std::optional<std::string> meant_key(const ConfigFields& config, std::string_view key) {
  std::vector<std::string> keys;
  std::vector<std::string> leaves;
  for (const ConfigField& field : config.list()) {
    keys.push_back(field.key);
    leaves.push_back(leaf(field.key));
  }
  if (auto match = nearest(key, keys)) return match;
  const auto match = nearest(leaf(key), leaves);
  if (!match) return std::nullopt;
  return keys[static_cast<size_t>(std::find(leaves.begin(), leaves.end(), *match) - leaves.begin())];
}

[[noreturn]] void fail_unknown(const ConfigFields& config, std::string_view key, const std::string& where) {
  const auto meant = meant_key(config, key);
  fail_usage("{}: unknown key `{}`; {}", where, printable(key),
             meant ? fmt::format("did you mean `{}`?", *meant) : "--help lists the known keys");
}

const ConfigField& known_field(const ConfigFields& config, std::string_view key, const std::string& where) {
  const ConfigField* field = config.find(key);
  if (!field) fail_unknown(config, key, where);
  return *field;
}

// ---- reading
// -----------------------------------------------------------------------------------------------

void read_object(const ConfigFields& config, const json& object, const std::string& prefix,
                 const std::string& origin, const std::map<std::string, int>& lines) {
  for (const auto& [name, value] : object.items()) {
    const std::string key = prefix + name;
    const auto line = lines.find(key);
    const std::string where = line == lines.end() ? origin : fmt::format("{}:{}", origin, line->second);
    if (name.find('.') != std::string::npos) fail_unknown(config, key, where);  // "a.b" is not b in a
    const ConfigField& field = known_field(config, key, where);
    if (field.is_table() && value.is_object()) {
      read_object(config, value, key + ".", origin, lines);
    } else {
      assign(field, value, where);
    }
  }
}

// ---- text from the command line ---------------------------------------------------------------------------

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

json number_or_text(std::string_view text) {
  if (const auto integer = parse_number<int64_t>(text)) return *integer;
  if (const auto number = parse_number<double>(text)) return *number;
  return std::string(text);
}

json array_of(std::string_view text) {  // "[1, 2.5]" or "1,2.5"
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  json values = json::array();
  while (!trimmed(text).empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    values.push_back(number_or_text(trimmed(text.substr(0, comma))));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return values;
}

json typed(const ConfigField& field, std::string_view text) {
  if (std::holds_alternative<std::string*>(field.value)) return std::string(text);
  if (std::holds_alternative<std::vector<double>*>(field.value)) return array_of(trimmed(text));
  if (text == "true" || text == "false") return text == "true";
  return number_or_text(text);
}

}  // namespace

const ConfigField* ConfigFields::find(std::string_view key) const {
  const auto found =
      std::find_if(list_.begin(), list_.end(), [&](const auto& field) { return field.key == key; });
  return found == list_.end() ? nullptr : &*found;
}

void set_key(const ConfigFields& config, std::string_view key, std::string_view text) {
  const std::string where = "--set";
  const ConfigField& field = known_field(config, key, where);
  assign(field, typed(field, text), where);
}

std::string to_text(const Allowed& allowed) {
  if (!allowed.words.empty()) return fmt::format("one of: {}", fmt::join(allowed.words, ", "));
  if (allowed.is_bounded()) return fmt::format("from {} to {}", allowed.least, allowed.most);
  return "a finite number";
}

void check_allowed(const ConfigSnapshot& config, const std::string& prefix) {
  for (const ConfigField& field : config.fields().list()) {
    std::visit(
        [&](auto target) {
          if constexpr (!std::is_same_v<decltype(target), std::monostate>) {
            if (!is_allowed(field.allowed, *target))
              fail_usage("{}{} is {}; it must be {}", prefix, field.key, shown(json(*target)),
                         to_text(field.allowed));
          }
        },
        field.value);
  }
}

void set_assignment(const ConfigFields& config, std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    fail_usage("--set {}: a value is missing; write key=value", printable(assignment));
  }
  set_key(config, trimmed(assignment.substr(0, equals)), trimmed(assignment.substr(equals + 1)));
}

void from_json(const ConfigFields& config, const json& object, const std::string& origin,
               const std::map<std::string, int>& lines) {
  if (!object.is_object()) fail_usage("{}: a table of config keys is needed, not {}", origin, shown(object));
  read_object(config, object, "", origin, lines);
}

}  // namespace neo
