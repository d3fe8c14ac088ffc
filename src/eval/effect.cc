#include "eval/effect.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <optional>

namespace neo {
namespace {

// Where each cell of the result comes from, {row, column}; outside the grid: empty (0).
struct Move {
  std::string name;
  std::function<std::pair<int, int>(int row, int column)> source;
};

std::string shift_name(int down, int right) {
  std::string name;
  if (down != 0) name = fmt::format("{} {}", down > 0 ? "down" : "up", std::abs(down));
  if (right != 0)
    name += fmt::format("{}{} {}", name.empty() ? "" : " ", right > 0 ? "right" : "left", std::abs(right));
  return name;
}

std::vector<Move> moves(int rows, int columns) {
  constexpr int kFarthest = 3;
  std::vector<Move> all;
  for (int down = -kFarthest; down <= kFarthest; ++down)
    for (int right = -kFarthest; right <= kFarthest; ++right)
      if (down != 0 || right != 0)
        all.push_back(
            {shift_name(down, right), [=](int r, int c) { return std::pair(r - down, c - right); }});
  all.push_back({"flip left-right", [=](int r, int c) { return std::pair(r, columns - 1 - c); }});
  all.push_back({"flip top-bottom", [=](int r, int c) { return std::pair(rows - 1 - r, c); }});
  all.push_back({"rotate 180", [=](int r, int c) { return std::pair(rows - 1 - r, columns - 1 - c); }});
  if (rows != columns) return all;
  all.push_back({"rotate 90 clockwise", [=](int r, int c) { return std::pair(rows - 1 - c, r); }});
  all.push_back({"rotate 90 anticlockwise", [=](int r, int c) { return std::pair(c, columns - 1 - r); }});
  all.push_back({"transpose", [](int r, int c) { return std::pair(c, r); }});
  return all;
}

Observation moved(const Observation& grid, int rows, int columns, const Move& move) {
  Observation out(grid.size(), 0);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const auto [from_row, from_column] = move.source(r, c);
      if (from_row < 0 || from_row >= rows || from_column < 0 || from_column >= columns) continue;
      out[static_cast<size_t>(r * columns + c)] = grid[static_cast<size_t>(from_row * columns + from_column)];
    }
  }
  return out;
}

double share_of(const std::vector<Change>& changes, const std::function<bool(const Change&)>& holds) {
  double held = 0;
  for (const Change& change : changes) held += holds(change);
  return held / static_cast<double>(changes.size());
}

std::string recolouring_name(const std::map<uint8_t, uint8_t>& new_colour) {
  constexpr int kMostNamed = 3;
  int changed = 0, erased = 0;
  std::string name;
  for (const auto& [from, to] : new_colour) {
    if (from == to) continue;
    name += fmt::format("{}colour {} to {}", name.empty() ? "" : ", ", from, to);
    ++changed;
    erased += to == 0;
  }
  if (changed > 1 && erased == static_cast<int>(new_colour.size() - new_colour.count(0))) return "erase all";
  return changed > kMostNamed ? "recolour" : name;
}

// One new colour for each colour, wherever it is.
std::string describe_recolouring(const std::vector<Change>& changes, double share) {
  std::map<uint8_t, std::map<uint8_t, int64_t>> counts;
  for (const auto& [before, after] : changes)
    for (size_t i = 0; i < before.size(); ++i) ++counts[before[i]][after[i]];
  std::map<uint8_t, uint8_t> most;
  for (const auto& [from, to] : counts)
    most[from] =
        std::max_element(to.begin(), to.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  const double held = share_of(changes, [&](const Change& change) {
    for (size_t i = 0; i < change.first.size(); ++i)
      if (most.at(change.first[i]) != change.second[i]) return false;
    return true;
  });
  if (held < share) return "";
  return recolouring_name(most);
}

std::string describe_grids(const std::vector<Change>& changes, int rows, int columns, double share) {
  std::string best;
  for (const Move& move : moves(rows, columns)) {
    const double held = share_of(changes, [&](const Change& change) {
      return moved(change.first, rows, columns, move) == change.second;
    });
    if (held < share) continue;
    share = held;  // from now on, only better ones
    best = move.name;
  }
  return best.empty() ? describe_recolouring(changes, share) : best;
}

std::optional<int64_t> number_of(const Observation& digits) {
  constexpr size_t kMostDigits = 17;  // that fit
  if (digits.size() > kMostDigits) return std::nullopt;
  int64_t number = 0;
  for (uint8_t digit : digits) number = 10 * number + digit;
  return number;
}

std::string affine_name(int64_t factor, int64_t summand, int64_t divisor) {
  std::string name;
  if (divisor != 1) name = fmt::format("divided by {}", divisor);
  if (factor != 1) name = fmt::format("times {}", factor);
  if (summand != 0)
    name +=
        fmt::format("{}{} {}", name.empty() ? "" : " ", summand > 0 ? "plus" : "minus", std::abs(summand));
  return name;
}

// after = factor before + summand, or before = divisor after, for whole numbers.
std::string describe_numbers(const std::vector<Change>& changes, double share) {
  std::vector<std::pair<int64_t, int64_t>> numbers;
  for (const auto& [before, after] : changes) {
    const auto x = number_of(before), y = number_of(after);
    if (!x || !y) return "";
    numbers.emplace_back(*x, *y);
  }
  const auto holds_on = [&](const auto& holds) {
    double held = 0;
    for (const auto& [x, y] : numbers) held += holds(x, y);
    return held / static_cast<double>(numbers.size());
  };
  for (size_t i = 1; i < numbers.size(); ++i) {  // two changes tell the whole rule
    const auto [x0, y0] = numbers[i - 1];
    const auto [x1, y1] = numbers[i];
    if (x0 == x1) continue;
    const int64_t dx = x1 - x0, dy = y1 - y0;
    if (dy % dx == 0) {
      const int64_t factor = dy / dx, summand = y0 - factor * x0;
      if (holds_on([&](int64_t x, int64_t y) { return y == factor * x + summand; }) >= share)
        return affine_name(factor, summand, 1);
    } else if (dy != 0 && dx % dy == 0) {
      const int64_t divisor = dx / dy;
      if (holds_on([&](int64_t x, int64_t y) { return x == divisor * y; }) >= share)
        return affine_name(1, 0, divisor);
    }
  }
  return "";
}

}  // namespace

std::string describe_effect(const World& world, const std::vector<Change>& changes, double share) {
  if (changes.empty()) return "";
  const auto shape = world.shape();
  if (shape.size() == 1) return describe_numbers(changes, share);
  if (shape.size() != 2) return "";
  return describe_grids(changes, static_cast<int>(shape[0]), static_cast<int>(shape[1]), share);
}

}  // namespace neo
