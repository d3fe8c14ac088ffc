#include "report/score_summary.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/table.h"
#include "core/text.h"
#include "data/space.h"
#include "report/published.h"

namespace neo {
namespace {
using nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

constexpr size_t kMostRows = 3;  // of a split
constexpr const char* kNothing = "-";

bool is_error_measured(const json& record) { return record.at("space").at("kind") != "categorical"; }

// "greedy", "NEO-S", "best-first"; what is unusual about it follows.
std::string search_name(const json& score) {
  std::string name = score.at("search");
  if (name.starts_with("sample")) name = name == "sample" ? "NEO-S" : "NEO-S, distinct";
  if (!score.value("query_probe", true)) name += ", blind";
  if (!score.value("hard_grounding", true)) name += ", soft";
  if (const double t = score.value("temperature", 0.0); t > 0) name += fmt::format(" T={:g}", t);
  return name;
}

std::string figure(const json& score, const char* key) {
  return score.contains(key) ? fmt::format("{:.4f}", score[key].get<double>()) : kNothing;
}

std::string published(const json& record, const json& score) {
  const Benchmark* benchmark = find_benchmark(record.at("benchmark").get<std::string>());
  if (!benchmark) return kNothing;
  const auto best = best_published(*benchmark, record.at("alpha").get<double>(), score.at("method").get<std::string>(),
                                   score.at("name").get<std::string>());
  return best ? fmt::format("{:.3f}", best->value) : kNothing;
}

// The last score of each search, searches in the order of their first; no more than `most` for each split.
std::vector<json> largest_budgets(const json& scores, size_t most) {
  std::vector<json> chosen;
  std::map<std::pair<std::string, std::string>, size_t> place;
  std::map<std::string, size_t> count;
  for (const json& score : scores) {
    const std::string split = score.at("name");
    const auto known = place.find({split, search_name(score)});
    if (known != place.end()) {
      chosen[known->second] = score;
    } else if (count[split]++ < most) {
      place[{split, search_name(score)}] = chosen.size();
      chosen.push_back(score);
    }
  }
  return chosen;
}

// Against what an error has to be held, once per split.
std::string baselines(const json& scores) {
  std::map<std::string, std::string> lines;
  for (const json& score : scores) {
    if (!score.contains("floor")) continue;
    const std::string split = score.at("name");
    lines[split] = wrapped(fmt::format("{}: error of leaving the input as it is {:.4f}, of the observation model itself {:.4f}",
                                       split, score["identity"].get<double>(), score["floor"].get<double>())) + "\n";
  }
  std::string text;
  for (const auto& [split, line] : lines) text += line;
  return text;
}

}  // namespace

std::string score_summary(const json& record, bool benchmark_splits) {
  const bool error = is_error_measured(record);
  Rows rows{{"split", "search", "calls", error ? "error" : "explains", error ? "transferred" : "transfers", "published", "length"}};
  for (const json& score : largest_budgets(record.at("splits"), kMostRows))
    rows.push_back({score.at("name"), search_name(score), score.at("calls").dump(), figure(score, "self"),
                    figure(score, "transfer"), benchmark_splits ? published(record, score) : kNothing,
                    fmt::format("{:.2f}", score.at("mean_length").get<double>())});
  std::string text = aligned(rows, 2) + baselines(record.at("splits"));
  const json& vocabulary = record.at("vocabulary");
  if (!vocabulary.at("primitives").empty())
    text += fmt::format("primitiveness {:.4f}, purity {:.4f} on {} inputs\n", vocabulary.at("primitiveness").get<double>(),
                        vocabulary.at("purity").get<double>(), vocabulary.at("inputs").get<int64_t>());
  return text;
}

std::string score_curve(const json& record) {
  const bool error = is_error_measured(record);
  Rows rows{{"split", "search", "budget", "calls", error ? "error" : "explains", error ? "transferred" : "transfers", "length"}};
  for (const json& score : record.at("splits"))
    rows.push_back({score.at("name"), search_name(score), score.at("budget").dump(), score.at("calls").dump(), figure(score, "self"),
                    figure(score, "transfer"), fmt::format("{:.2f}", score.at("mean_length").get<double>())});
  return aligned(rows, 2);
}

}  // namespace neo
