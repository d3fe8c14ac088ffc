// docs/fidelity.json says what the paper has and what we do; this pins every setting of every `paper` preset
// to it, and docs/fidelity.md to both. NEO_UPDATE_GOLDEN=1 writes the page.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/config.h"
#include "core/embedded.h"
#include "core/files.h"
#include "core/text.h"
#include "observe/pretrain.h"
#include "train/presets.h"

namespace neo {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kMethods{"neo", "disc-mono", "cont-mono", "cont-mono-opt"};

const fs::path& docs() {
  static const fs::path folder = fs::path(NEO_SOURCE_DIR) / "docs";
  return folder;
}

const json& fidelity() {
  static const json content = json::parse(read_file(docs() / "fidelity.json"));
  return content;
}

json at_key(const json& settings, const std::string& key) {
  std::string pointer = "/" + key;
  std::ranges::replace(pointer, '.', '/');
  return settings.at(json::json_pointer(pointer));
}

// The settings of each method's `paper` preset; Cont-Mono-Opt evaluates Cont-Mono's.
std::vector<json> settings_of(const json& table) {
  std::vector<json> all;
  for (const std::string method : kMethods) {
    const std::string trained = method == "cont-mono-opt" ? "cont-mono" : method;
    all.push_back(to_json(load_preset(table.at("benchmark"), preset_of_method("paper", trained),
                                      table.at("alpha").get<double>())));
  }
  return all;
}

std::vector<json> settings_of_pretraining(const json& table) {
  json settings = to_json(default_pretraining(table.at("kind")));
  settings["observation"] = to_json(load_preset(table.at("benchmark"), "paper").model.observation);
  return {settings};
}

// What our setting has to be, where the paper's value is `paper`.
json wanted(const json& row, const json& paper, size_t method) {
  if (row.contains("ours")) return row.at("ours");
  if (row.contains("is")) return row.at("is").is_array() ? row.at("is").at(method) : row.at("is");
  if (row.contains("factor")) return paper.get<double>() * row.at("factor").get<double>();
  return paper;
}

bool equal(const json& a, const json& b) {
  if (a.is_number() && b.is_number()) return std::abs(a.get<double>() - b.get<double>()) < 1e-12;
  return a == b;
}

void check_table(const json& table, const std::vector<json>& settings) {
  SCOPED_TRACE(table.at("title").get<std::string>());
  for (const json& row : table.at("rows")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    EXPECT_TRUE(!row.contains("ours") || !row.value("why", "").empty()) << "a deviation without a reason";
    if (!row.contains("key")) {
      const bool same = row.at("text").get<std::string>().starts_with("same");
      EXPECT_TRUE(same || row.at("text") == "the state's" || !row.value("why", "").empty());
      continue;
    }
    for (size_t m = 0; m < settings.size(); ++m) {
      const json& paper = row.at("paper").at(m);
      if (paper.is_null()) continue;
      const json ours = at_key(settings[m], row.at("key"));
      EXPECT_TRUE(equal(ours, wanted(row, paper, m))) << kMethods.at(m) << " has " << ours;
    }
  }
}

TEST(Fidelity, EverySettingOfThePapersTablesIsThatOfItsPreset) {
  for (const json& table : fidelity().at("hyperparameters")) check_table(table, settings_of(table));
}

TEST(Fidelity, PretrainingIsThePapers) {
  for (const json& table : fidelity().at("pretraining")) check_table(table, settings_of_pretraining(table));
}

TEST(Fidelity, WhatThePaperLeavesOpenIsAsListed) {
  for (const json& list : fidelity().at("release")) {
    for (const char* alpha : {"0.33", "0.66", "1.00"}) {
      const json settings = to_json(load_preset(list.at("benchmark"), "paper", std::stod(alpha)));
      for (const json& row : list.at("rows")) {
        const json& value = row.at("value");
        EXPECT_TRUE(equal(at_key(settings, row.at("key")), value.is_object() ? value.at(alpha) : value))
            << list.at("benchmark") << " at " << alpha << ": " << row.at("key");
        EXPECT_FALSE(row.at("why").get<std::string>().empty());
      }
    }
  }
}

// Dotted keys that a preset's file sets.
std::set<std::string> keys_in(std::string_view toml) {
  std::set<std::string> keys;
  std::string table;
  for (size_t from = 0; from < toml.size();) {
    const size_t end = std::min(toml.find('\n', from), toml.size());
    const std::string line(toml.substr(from, end - from));
    if (line.starts_with('[')) table = line.substr(1, line.find(']') - 1) + ".";
    const size_t equals = line.find(" = ");
    if (!line.starts_with('#') && equals != std::string::npos) keys.insert(table + line.substr(0, equals));
    from = end + 1;
  }
  return keys;
}

TEST(Fidelity, NoPaperPresetSetsAnythingThatIsNotListed) {
  std::map<std::string, std::set<std::string>> listed;
  for (const char* part : {"hyperparameters", "release"}) {
    for (const json& table : fidelity().at(part)) {
      for (const json& row : table.at("rows")) {
        if (row.contains("key"))
          listed[table.at("benchmark").get<std::string>()].insert(row.at("key").get<std::string>());
      }
    }
  }
  int files = 0;
  for (const std::string& name : embedded_names()) {
    const size_t paper = name.find("-paper");
    if (paper == std::string::npos || !name.ends_with(".toml")) continue;
    ++files;
    for (const std::string& key : keys_in(embedded_file(name))) {
      if (key == "method") continue;
      EXPECT_TRUE(listed[name.substr(0, paper)].contains(key)) << name << " sets " << key;
    }
  }
  EXPECT_GT(files, 10);
}

TEST(Fidelity, NoElementDeviatesWithoutAReason) {
  for (const json& row : fidelity().at("elements")) {
    const auto ours = row.at("ours").get<std::string>();
    const bool same = ours.starts_with("same") || ours.starts_with("the same") ||
                      ours.starts_with("the release's") || ours.starts_with("AdamW") ||
                      ours.starts_with("preset");
    EXPECT_TRUE(same || row.contains("why")) << row.at("element");
  }
}

// A bar would end the cell.
std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string cell(const json& value) {
  if (value.is_null()) return "–";
  if (value.is_boolean()) return value.dump();
  return value.is_string() ? value.get<std::string>() : fmt::format("{:g}", value.get<double>());
}

std::string joined(const std::vector<std::string>& values) {
  const bool alike = std::ranges::all_of(values, [&](const auto& v) { return v == values.front(); });
  return alike ? values.front() : fmt::format("{}", fmt::join(values, " / "));
}

std::string ours_of(const json& row, const std::vector<json>& settings) {
  if (!row.contains("key")) return row.at("text");
  std::vector<std::string> values;
  bool is_same = !row.contains("ours");
  for (size_t m = 0; m < settings.size(); ++m) {
    const json& paper = row.at("paper").at(m);
    const json ours = paper.is_null() ? json() : at_key(settings[m], row.at("key"));
    is_same = is_same && (paper.is_null() || equal(paper, ours));
    values.push_back(cell(ours));
  }
  return is_same ? "same" : joined(values);
}

std::string table_text(const json& table, const std::vector<json>& settings) {
  std::string text =
      fmt::format("\n### {}\n\n| the paper's | value | setting | ours | why, what |\n|---|---|---|---|---|\n",
                  table.at("title").get<std::string>());
  for (const json& row : table.at("rows")) {
    std::vector<std::string> paper;
    for (const json& value : row.at("paper")) paper.push_back(cell(value));
    const std::string why = row.value("why", ""), note = row.value("note", "");
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.at("name").get<std::string>(), joined(paper),
                        row.contains("key") ? "`" + row.at("key").get<std::string>() + "`" : "–",
                        ours_of(row, settings),
                        why.empty()    ? note
                        : note.empty() ? why
                                       : note + "; " + why);
  }
  return text;
}

std::string page() {
  std::string text =
      "# Fidelity\n\n"
      "Every element of the paper, what we do, and why where it differs. Made from `docs/fidelity.json` and "
      "the presets by\n"
      "`NEO_UPDATE_GOLDEN=1 build/src/train_test --gtest_filter='Fidelity.*'`; the same tests pin every "
      "setting of every `paper` preset to it.\n"
      "*The official release* is the authors' public code, which settles what the paper leaves open. Where a "
      "value has four parts, they are\n"
      "NEO's, Disc-Mono's, Cont-Mono's and Cont-Mono-Opt's.\n\n"
      "## Method, metrics, data\n\n| part | element | the paper | ours | why |\n|---|---|---|---|---|\n";
  for (const json& row : fidelity().at("elements")) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", escaped(row.at("part")), escaped(row.at("element")),
                        escaped(row.at("paper")), escaped(row.at("ours")), escaped(row.value("why", "")));
  }
  text += "\n## Hyperparameters\n";
  for (const json& table : fidelity().at("hyperparameters")) text += table_text(table, settings_of(table));
  text += "\n## Pretraining\n";
  for (const json& table : fidelity().at("pretraining"))
    text += table_text(table, settings_of_pretraining(table));
  text += "\n## What the paper leaves open\n";
  for (const json& list : fidelity().at("release")) {
    text += fmt::format("\n### {}\n\n| setting | value | source |\n|---|---|---|\n",
                        list.at("benchmark").get<std::string>());
    for (const json& row : list.at("rows")) {
      const json& value = row.at("value");
      std::vector<std::string> values;
      if (!value.is_object()) values.push_back(cell(value));
      for (const char* alpha : {"0.33", "0.66", "1.00"}) {
        if (value.is_object()) values.push_back(cell(value.at(alpha)) + " (α = " + alpha + ")");
      }
      text += fmt::format("| `{}` | {} | {} |\n", row.at("key").get<std::string>(), fmt::join(values, ", "),
                          row.at("why").get<std::string>());
    }
  }
  return text;
}

TEST(Fidelity, ThePageIsMadeFromTheDataAndThePresets) {
  const fs::path path = docs() / "fidelity.md";
  if (std::getenv("NEO_UPDATE_GOLDEN")) write_file_atomically(path, page());
  EXPECT_EQ(page(), read_file(path)) << "NEO_UPDATE_GOLDEN=1 writes " << path;
}

}  // namespace
}  // namespace neo
