// The one file that includes toml++ (seconds of compile time). It only turns TOML into JSON plus line
// numbers; types and keys are judged by from_json.

#include <nlohmann/json.hpp>

#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/text.h"

#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace neo {
namespace {

using nlohmann::json;

constexpr size_t kMaxConfigBytes = size_t{1} << 18;
// toml++ 3.3 puts no bound on dotted keys and recurses once per part, so `a.a.a...` would exhaust the stack.
constexpr int kMaxDotsPerLine = 1000;
constexpr int kMaxDepth = 16;

void refuse_hostile_text(std::string_view text, const std::string& origin) {
  if (text.size() > kMaxConfigBytes) {
    fail("{} has {} bytes, more than the {} a config may have", origin, text.size(), kMaxConfigBytes);
  }
  int line = 1;
  int dots = 0;
  for (char c : text) {
    if (c == '\n') {
      ++line;
      dots = 0;
    }
    if (c == '.' && ++dots > kMaxDotsPerLine) fail("{}:{}: too many dots in one line; break it up", origin, line);
  }
}

struct Converter {
  const std::string& origin;
  std::map<std::string, int> lines;

  json value(const toml::node& node, const std::string& key, int depth) {
    if (depth > kMaxDepth) {
      fail("{}:{}: tables or arrays nested deeper than {}", origin, node.source().begin.line, kMaxDepth);
    }
    if (const auto* table = node.as_table()) return object(*table, key + ".", depth + 1);
    if (const auto* array = node.as_array()) {
      json values = json::array();
      for (const toml::node& item : *array) values.push_back(value(item, key, depth + 1));
      return values;
    }
    if (const auto* boolean = node.as_boolean()) return boolean->get();
    if (const auto* integer = node.as_integer()) return integer->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* text = node.as_string()) return text->get();
    return nullptr;  // dates and times: no field takes them
  }

  json object(const toml::table& table, const std::string& prefix, int depth) {
    json values = json::object();
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      lines[key] = static_cast<int>(name.source().begin.line);
      values[std::string(name.str())] = value(node, key, depth);
    }
    return values;
  }
};

}  // namespace

void load_toml_text(const ConfigFields& config, std::string_view text, const std::string& origin) {
  refuse_hostile_text(text, origin);
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: not valid TOML: {}", origin, error.source().begin.line, printable(error.description(), 200));
  }
  Converter converter{origin, {}};
  const json values = converter.object(table, "", 0);
  from_json(config, values, origin, converter.lines);
}

void load_toml(const ConfigFields& config, const std::filesystem::path& path) {
  load_toml_text(config, read_file(path, kMaxConfigBytes), path.string());
}

}  // namespace neo
