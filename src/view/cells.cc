#include "view/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "view/notation.h"

namespace neo {
namespace {

using Place = Move::Place;

std::string shift_name(int64_t down, int64_t right) {
  std::string name;
  if (down != 0) name = fmt::format("{} {}", down > 0 ? "down" : "up", std::abs(down));
  if (right != 0)
    name += fmt::format("{}{} {}", name.empty() ? "" : " ", right > 0 ? "right" : "left", std::abs(right));
  return name;
}

int64_t wrapped(int64_t i, int64_t size) { return ((i % size) + size) % size; }

std::vector<Move> make_moves() {
  constexpr int64_t kFarthest = 3;
  std::vector<Move> all{
      {"flip left-right", [](auto& b, int64_t r, int64_t c) { return Place(r, b.columns - 1 - c); }},
      {"flip top-bottom", [](auto& b, int64_t r, int64_t c) { return Place(b.rows - 1 - r, c); }},
      {"rotate 180", [](auto& b, int64_t r, int64_t c) { return Place(b.rows - 1 - r, b.columns - 1 - c); }},
      {"rotate 90 clockwise", [](auto& b, int64_t r, int64_t c) { return Place(b.rows - 1 - c, r); }, true},
      {"rotate 90 anticlockwise", [](auto& b, int64_t r, int64_t c) { return Place(c, b.columns - 1 - r); },
       true},
      {"transpose", [](auto&, int64_t r, int64_t c) { return Place(c, r); }, true}};
  for (const bool around : {false, true}) {
    for (int64_t down = -kFarthest; down <= kFarthest; ++down) {
      for (int64_t right = -kFarthest; right <= kFarthest; ++right) {
        if (down == 0 && right == 0) continue;
        all.push_back({shift_name(down, right) + (around ? " around the edge" : ""),
                       [=](const Cells& b, int64_t r, int64_t c) {
                         return around ? Place(wrapped(r - down, b.rows), wrapped(c - right, b.columns))
                                       : Place(r - down, c - right);
                       }});
      }
    }
  }
  return all;
}

}  // namespace

Cells cells_of(const Space& space, ObservationView observation) {
  Cells full{space.rows(), space.columns(), space.channels(), integers_of(space, observation)};
  if (!space.padded) return full;
  int64_t rows = 0, columns = 0;
  for (int64_t i = 0; i < space.size(); ++i) {
    if (full.values[static_cast<size_t>(i)] == space.values_at(i) - 1) continue;
    const int64_t cell = i / full.channels;
    rows = std::max(rows, cell / full.columns + 1);
    columns = std::max(columns, cell % full.columns + 1);
  }
  Cells content{rows, columns, full.channels, {}};
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t k = 0; k < full.channels; ++k) content.values.push_back(full.at(r, c, k));
  return content;
}

const std::vector<Move>& all_moves() {
  static const std::vector<Move> all = make_moves();
  return all;
}

bool makes(const Move& move, const Cells& before, const std::vector<int64_t>& fill, const Cells& after) {
  if (after.rows != (move.turns ? before.columns : before.rows)) return false;
  if (after.columns != (move.turns ? before.rows : before.columns)) return false;
  for (int64_t r = 0; r < after.rows; ++r) {
    for (int64_t c = 0; c < after.columns; ++c) {
      const auto [row, column] = move.source(before, r, c);
      const bool inside = row >= 0 && row < before.rows && column >= 0 && column < before.columns;
      for (int64_t k = 0; k < after.channels; ++k) {
        const int64_t value = inside ? before.at(row, column, k) : fill[static_cast<size_t>(k)];
        if (value != after.at(r, c, k)) return false;
      }
    }
  }
  return true;
}

}  // namespace neo
