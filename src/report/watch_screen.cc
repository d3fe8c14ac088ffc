#include "report/watch_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/table.h"
#include "core/text.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr size_t kCurve = 48, kBar = 24;  // columns
constexpr int kHeadRows = 7;              // above the codes
constexpr size_t kLongestName = 36;

// The mean of each of `columns` equal parts; as it is where there are fewer.
std::vector<double> resampled(const std::vector<double>& values, size_t columns) {
  if (values.size() <= columns) return values;
  std::vector<double> means;
  for (size_t i = 0; i < columns; ++i) {
    const size_t begin = i * values.size() / columns, end = (i + 1) * values.size() / columns;
    double sum = 0;
    for (size_t k = begin; k < end; ++k) sum += values[k];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

std::string curve(const std::vector<double>& values, double least, double most) {
  static const char* const kLevels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (double value : resampled(values, kCurve)) {
    const double share = most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) : 0.0;
    text += kLevels[static_cast<size_t>(std::lround(7 * share))];
  }
  return text;
}

std::string bar(double share) {
  std::string text;
  for (size_t i = 0; i < static_cast<size_t>(std::lround(share * static_cast<double>(kBar))); ++i) text += "█";
  return text;
}

// The codes in use, the most used first, as many as there are rows.
std::string codes_table(const json& usage, const std::vector<std::string>& names, int rows) {
  std::vector<std::pair<double, size_t>> codes;
  for (size_t i = 0; i < usage.size(); ++i)
    if (const double share = usage[i]; share > 0) codes.emplace_back(-share, i);
  std::ranges::sort(codes);
  std::vector<std::vector<std::string>> table;
  for (const auto& [negative, code] : codes) {
    if (std::ssize(table) >= rows) break;
    const std::string name = code < names.size() ? utf8_prefix(printable(names[code]), kLongestName) : "";
    table.push_back({fmt::format("z{}", code), bar(-negative), fmt::format("{:4.1f} %", -100 * negative), name});
  }
  return fmt::format("{} of {} codes in use, by share of steps\n", codes.size(), usage.size()) + aligned(table, 4);
}

}  // namespace

std::string watch_screen(const WatchedRun& run, int rows) {
  std::string text = fmt::format("{}: {}, step {}", printable(run.name, 40), run.state, run.step);
  if (run.total > 0) text += fmt::format(" of {} ({:.0f} %)", run.total, std::floor(100.0 * static_cast<double>(run.step) / static_cast<double>(run.total)));
  text += "\n\n";
  if (run.summary.is_null()) return text + "no step recorded yet\n";
  const auto loss = run.summary.at("loss").get<std::vector<double>>(), solved = run.summary.at("solved").get<std::vector<double>>();
  const auto [least, most] = std::ranges::minmax(loss);
  text += aligned({{"loss", curve(loss, least, most), fmt::format("{:.4f}", loss.back())},
                   {"explained", curve(solved, 0, 1), fmt::format("{:.1f} %", 100 * solved.back())}}, 2);
  return text + "\n" + codes_table(run.summary.at("usage").back(), run.names, rows - kHeadRows);
}

}  // namespace neo
