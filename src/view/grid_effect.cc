// What turns one grid into another, in words: GridView::describe.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "view/cells.h"
#include "view/layouts.h"
#include "view/share.h"

namespace neo {
namespace {

using CellsChange = std::pair<Cells, Cells>;
using Counts = std::map<int64_t, int64_t>;  // of a value

int64_t most_frequent(const Counts& counts) {
  return std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })
      ->first;
}

// The most frequent value of each channel.
std::vector<int64_t> background_of(const std::vector<CellsChange>& changes, int64_t channels) {
  std::vector<Counts> counts(static_cast<size_t>(channels));
  for (const auto& [before, after] : changes)
    for (size_t i = 0; i < before.values.size(); ++i) ++counts[i % counts.size()][before.values[i]];
  std::vector<int64_t> background;
  for (const Counts& of_channel : counts)
    background.push_back(of_channel.empty() ? 0 : most_frequent(of_channel));
  return background;
}

std::string describe_move(const std::vector<CellsChange>& changes, const std::vector<int64_t>& background,
                          double share) {
  std::string best;
  for (const Move& move : all_moves()) {
    const double held = share_of(changes, [&](const CellsChange& change) {
      return makes(move, change.first, background, change.second);
    });
    if (held < share || (!best.empty() && held == share)) continue;
    share = held;  // from now on, only better ones
    best = move.name;
  }
  return best;
}

// [channel] value before -> value after.
using Recolouring = std::vector<std::map<int64_t, int64_t>>;

std::string recolouring_name(const Recolouring& recolouring, const std::vector<int64_t>& background) {
  constexpr int kMostNamed = 3;
  int changed = 0, erased = 0, colours = 0;
  std::string name;
  for (size_t k = 0; k < recolouring.size(); ++k) {
    for (const auto& [from, to] : recolouring[k]) {
      colours += from != background[k];
      if (from == to) continue;
      name += name.empty() ? "" : ", ";
      name += recolouring.size() == 1 ? fmt::format("colour {} to {}", from, to)
                                      : fmt::format("channel {}: {} to {}", k + 1, from, to);
      ++changed;
      erased += to == background[k];
    }
  }
  if (changed > 1 && erased == colours) return "erase all";
  return changed > kMostNamed ? "recolour" : name;
}

// One new colour for each colour, wherever it is.
std::string describe_recolouring(const std::vector<CellsChange>& changes,
                                 const std::vector<int64_t>& background, double share) {
  const size_t channels = background.size();
  std::vector<std::map<int64_t, Counts>> counts(channels);
  for (const auto& [before, after] : changes) {
    if (before.values.size() != after.values.size()) continue;
    for (size_t i = 0; i < before.values.size(); ++i)
      ++counts[i % channels][before.values[i]][after.values[i]];
  }
  Recolouring recolouring(channels);
  for (size_t k = 0; k < channels; ++k)
    for (const auto& [from, to] : counts[k]) recolouring[k][from] = most_frequent(to);
  const double held = share_of(changes, [&](const CellsChange& change) {
    const auto& [before, after] = change;
    if (before.rows != after.rows || before.columns != after.columns) return false;
    for (size_t i = 0; i < before.values.size(); ++i)
      if (recolouring[i % channels].at(before.values[i]) != after.values[i]) return false;
    return true;
  });
  return held < share ? "" : recolouring_name(recolouring, background);
}

// How one value travels: where it was and is not, and where it is and was not.
struct Travel {
  int64_t value, down, right;
  auto operator<=>(const Travel&) const = default;
};

// The travels of the values that leave one cell and appear in one other.
std::vector<Travel> travels_of(const CellsChange& change) {
  const auto& [before, after] = change;
  struct Ends {
    int64_t left = 0, reached = 0, from = 0, to = 0;  // how many cells, and the last of them
  };
  std::map<int64_t, Ends> ends;
  for (size_t i = 0; i < before.values.size(); ++i) {
    if (before.values[i] == after.values[i]) continue;
    auto& gone = ends[before.values[i]];
    ++gone.left, gone.from = static_cast<int64_t>(i);
    auto& come = ends[after.values[i]];
    ++come.reached, come.to = static_cast<int64_t>(i);
  }
  std::vector<Travel> travels;
  for (const auto& [value, e] : ends)
    if (e.left == 1 && e.reached == 1)
      travels.push_back({value, e.to / before.columns - e.from / before.columns,
                         e.to % before.columns - e.from % before.columns});
  return travels;
}

std::string travel_name(const Travel& travel) {
  const auto part = [](int64_t steps, const char* forward, const char* back) {
    if (steps == 0) return std::string();
    const std::string count = std::abs(steps) > 1 ? fmt::format(" {}", std::abs(steps)) : "";
    return fmt::format("{} {}", count, steps > 0 ? forward : back);
  };
  return fmt::format("{} moves{}{}", travel.value, part(travel.down, "down", "up"),
                     part(travel.right, "right", "left"));
}

// One value that moves by the same way wherever anything changes.
std::string describe_travel(const std::vector<CellsChange>& changes, const std::vector<int64_t>& background,
                            double share) {
  if (background.size() > 1) return "";
  std::map<Travel, int64_t> counts;
  int64_t moved = 0;
  for (const CellsChange& change : changes) {
    const auto& [before, after] = change;
    if (before.rows != after.rows || before.columns != after.columns || before.values == after.values)
      continue;
    ++moved;
    for (const Travel& travel : travels_of(change))
      if (travel.value != background[0]) ++counts[travel];
  }
  const auto best = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  if (best == counts.end() || static_cast<double>(best->second) < share * static_cast<double>(moved))
    return "";
  return travel_name(best->first);
}

}  // namespace

std::string GridView::describe(const std::vector<Change>& changes, double share) const {
  if (changes.empty() || share_of(changes, is_unchanged) >= share) return "";
  std::vector<CellsChange> cells;
  for (const auto& [before, after] : changes)
    cells.emplace_back(cells_of(space(), before), cells_of(space(), after));
  const auto background = background_of(cells, space().channels());
  for (const auto& describe_as : {describe_move, describe_recolouring, describe_travel})
    if (std::string name = describe_as(cells, background, share); !name.empty()) return name;
  return "";
}

}  // namespace neo
