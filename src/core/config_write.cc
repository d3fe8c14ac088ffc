#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/text.h"

namespace neo {
namespace {

const std::string kHelpIndent(6, ' ');

using nlohmann::json;

std::string toml_value(bool value) { return value ? "true" : "false"; }
std::string toml_value(int64_t value) { return fmt::format("{}", value); }

std::string toml_value(double value) {
  std::string text = fmt::format("{}", value);  // the shortest that reads back equal
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string toml_value(const std::string& value) {
  std::string text = "\"";
  for (char c : value) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') {
      text += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\u{:04x}", byte);
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string toml_value(const std::vector<double>& values) {
  std::vector<std::string> items;
  for (double value : values) items.push_back(toml_value(value));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string value_text(const ConfigField& field) {
  return std::visit(
      [](auto target) -> std::string {
        if constexpr (std::is_same_v<decltype(target), std::monostate>) {
          return "";
        } else if constexpr (std::is_same_v<decltype(target), int*>) {
          return toml_value(int64_t{*target});
        } else {
          return toml_value(*target);
        }
      },
      field.value);
}

// The fields directly in `table`; those of its sub-tables come under their own headings.
std::string table_body(const ConfigFields& config, const std::string& table) {
  const std::string prefix = table.empty() ? "" : table + ".";
  std::string body;
  for (const ConfigField& field : config.list()) {
    if (field.is_table() || !field.key.starts_with(prefix)) continue;
    const std::string name = field.key.substr(prefix.size());
    if (name.find('.') != std::string::npos) continue;
    const std::string assignment = fmt::format("{} = {}", name, value_text(field));
    body += fmt::format("{:<31} # {}\n", assignment, field.help);
  }
  return body;
}

}  // namespace

std::string to_toml(const ConfigSnapshot& config) {
  std::string text = table_body(config.fields(), "");
  for (const ConfigField& field : config.fields().list()) {
    if (!field.is_table()) continue;
    text += fmt::format("\n[{}]  # {}\n{}", field.key, field.help, table_body(config.fields(), field.key));
  }
  return text;
}

json to_json(const ConfigSnapshot& config) {
  json root = json::object();
  for (const ConfigField& field : config.fields().list()) {
    std::string path = "/" + field.key;
    std::replace(path.begin(), path.end(), '.', '/');
    json& place = root[json::json_pointer(path)];
    place = json::object();
    std::visit(
        [&](auto target) {
          if constexpr (!std::is_same_v<decltype(target), std::monostate>) place = *target;
        },
        field.value);
  }
  return root;
}

std::string describe(const ConfigSnapshot& config) {
  std::string text;
  for (const ConfigField& field : config.fields().list()) {
    if (field.is_table()) continue;
    const bool is_limited = field.allowed.is_bounded() || !field.allowed.words.empty();
    const std::string help = field.help + (is_limited ? fmt::format(" ({})", to_text(field.allowed)) : "");
    text += fmt::format("  {} = {}", field.key, value_text(field));
    for (const char c : "\n" + wrapped(help, kPageWidth - kHelpIndent.size()))
      text += c == '\n' ? "\n" + kHelpIndent : std::string(1, c);
    text += '\n';
  }
  return text;
}

}  // namespace neo
