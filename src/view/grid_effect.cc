// What turns one grid into another, in words: GridView::describe.

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

std::string GridView::describe(const std::vector<Change>& changes, double share) const {
  if (changes.empty() || share_of(changes, is_unchanged) >= share) return "";
  std::vector<CellsChange> cells;
  for (const auto& [before, after] : changes)
    cells.emplace_back(cells_of(space(), before), cells_of(space(), after));
  const auto background = background_of(cells, space().channels());
  const std::string move = describe_move(cells, background, share);
  return move.empty() ? describe_recolouring(cells, background, share) : move;
}

}  // namespace neo
