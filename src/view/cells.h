#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/space.h"

namespace neo {

// The content of a grid or an image, without the rows and columns of padding at its end.
struct Cells {
  int64_t rows, columns, channels;
  std::vector<int64_t> values;  // [rows, columns, channels]

  int64_t at(int64_t row, int64_t column, int64_t channel) const {
    return values[static_cast<size_t>((row * columns + column) * channels + channel)];
  }
  bool operator==(const Cells&) const = default;
};

Cells cells_of(const Space& space, ObservationView observation);

// A rearrangement of cells: the cell of the result at (row, column) comes from `source`.
struct Move {
  using Place = std::pair<int64_t, int64_t>;
  std::string name;
  std::function<Place(const Cells& before, int64_t row, int64_t column)> source;
  bool turns = false;  // rows become columns
};

// Flips, rotations, and shifts by up to three cells, also with wrap-around; the simplest first.
const std::vector<Move>& all_moves();

// Whether the move gives `after`; `fill`, one value per channel, is what comes in from outside.
bool makes(const Move& move, const Cells& before, const std::vector<int64_t>& fill, const Cells& after);

}  // namespace neo
