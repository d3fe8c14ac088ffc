#include "report/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "benchmark/benchmark.h"

namespace neo {
namespace {
using nlohmann::json;
using Settings = std::map<std::string, std::string>;

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void flatten(const json& object, const std::string& prefix, Settings& into) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object())
      flatten(value, prefix + key + ".", into);
    else
      into[prefix + key] = text_of(value);
  }
}

// The assignments after --set in the command that trained.
Settings settings_on_command_line(const json& record) {
  Settings found;
  const json command = record.value("manifest", json::object()).value("command", json::array());
  for (size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] != "--set" || !command[i + 1].is_string()) continue;
    const auto assignment = command[i + 1].get<std::string>();
    const size_t equals = assignment.find('=');
    if (equals != std::string::npos) found[assignment.substr(0, equals)] = assignment.substr(equals + 1);
  }
  return found;
}

// What differs from the preset. The name of an ablation stands for its settings.
Settings changes_of(const Record& record) {
  if (!record.ablation.empty()) return {};
  if (!record.json.value("changed", json()).is_object()) return settings_on_command_line(record.json);
  Settings changes;
  flatten(record.json.at("changed"), "", changes);
  changes.erase("grouped");  // is a variant of its own
  return changes;
}

// All that must be equal for two records to be two seeds of the same thing.
Settings settings_of(const Record& record) {
  Settings all;
  if (record.json.contains("settings")) flatten(record.json.at("settings"), "", all);
  all.erase("grouped");
  const json digest = record.json.value("data_digest", json());
  const Benchmark* benchmark = find_benchmark(record.benchmark);
  const bool seed_draws_data = benchmark && benchmark->samples_in_memory();
  if (digest.is_string() && !seed_draws_data) all["data"] = digest.get<std::string>().substr(0, 8);
  std::map<std::string, int64_t> episodes;
  for (const RecordRow& row : record.rows) episodes[row.split] = std::max(episodes[row.split], row.episodes);
  for (const auto& [split, count] : episodes) all[split + " episodes"] = std::to_string(count);
  return all;
}

auto group_of(const Record& r) {
  return std::tie(r.benchmark, r.preset, r.method, r.ablation, r.purpose, r.alpha, r.variant.grouped,
                  r.variant.development);
}

// The value that most of the records have; of equally frequent ones the first. Empty: none is recorded.
std::string usual_value(const std::vector<Settings>& settings, const std::string& key) {
  std::map<std::string, int> count;
  for (const Settings& one : settings) {
    const auto found = one.find(key);
    ++count[found == one.end() ? "" : found->second];
  }
  return std::ranges::max_element(count, {}, [](const auto& item) { return item.second; })->first;
}

void name_differences_within(const std::vector<Record*>& group) {
  std::vector<Settings> settings;
  Settings keys;
  for (const Record* record : group) {
    settings.push_back(settings_of(*record));
    keys.insert(settings.back().begin(), settings.back().end());
  }
  for (size_t i = 0; i < group.size(); ++i) {
    Settings named = changes_of(*group[i]);
    for (const auto& [key, value] : keys) {
      const auto own = settings[i].find(key);
      const std::string text = own == settings[i].end() ? "" : own->second;
      if (text != usual_value(settings, key)) named[key] = text.empty() ? "not recorded" : text;
    }
    std::string& label = group[i]->variant.settings;
    for (const auto& [key, value] : named)
      label += fmt::format("{}{}={}", label.empty() ? "" : " ", key, value);
  }
}

}  // namespace

void name_differences(std::vector<Record>& records) {
  std::vector<std::vector<Record*>> groups;
  for (Record& record : records) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return group_of(*group.front()) == group_of(record); });
    (same == groups.end() ? groups.emplace_back() : *same).push_back(&record);
  }
  for (const auto& group : groups) name_differences_within(group);
}

}  // namespace neo
