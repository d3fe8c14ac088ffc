#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "view/cells.h"
#include "view/layouts.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr int kPlaneGap = 6;         // pixels between the planes of a drawing
constexpr int kPlaneColumns = 2;     // terminal columns between planes
constexpr int kWidestDrawing = 300;  // of several planes

int grid_cell_pixels(const Space& space) {
  const int64_t side = std::max(space.rows(), space.columns());
  return side <= 16 ? 9 : side <= 32 ? 6 : 4;
}

// Pixels between cells: in small ones, lines would take too much.
int line_pixels(int cell_pixels) { return cell_pixels > 4 ? 1 : 0; }

// A frame of one pixel around all, which lines share.
int framed(int64_t cells, int cell_pixels) {
  return static_cast<int>(cells) * cell_pixels + 2 - line_pixels(cell_pixels);
}

}  // namespace

GridView::GridView(const Space& s) : View(s), symbols_(s) {
  const int wanted = s.most_values() > kCharacterValues ? 3 : 2;  // with a blank before the next cell
  cell_columns_ = std::clamp(kTerminalWidth / static_cast<int>(s.columns()), 1, wanted);
  const int plane = static_cast<int>(s.columns()) * cell_columns_ + kPlaneColumns;
  const int channels = static_cast<int>(s.channels());
  planes_in_terminal_ = std::clamp((kTerminalWidth + kPlaneColumns) / plane, 1, channels);
  cell_pixels_ = grid_cell_pixels(s);
  planes_in_drawing_ = std::clamp(kWidestDrawing / (plane_extent().width + kPlaneGap), 1, channels);
}

std::string GridView::expectation() const {
  const Space& s = space();
  std::string text = fmt::format("{}{}x{} cells", s.padded ? "up to " : "", s.rows(), s.columns());
  if (!symbols_.empty()) return text + " of " + symbols_.examples() + ", row by row";
  if (s.channels() == 1) {
    text += fmt::format(" of 0 to {}, row by row", writable_values(0) - 1);
  } else {
    text += fmt::format(" of {} numbers each (", s.channels());
    for (int64_t k = 0; k < s.channels(); ++k)
      text += fmt::format("{}0 to {}", k > 0 ? ", " : "", writable_values(k) - 1);
    text += "), cell by cell";
  }
  if (s.most_values() > 10) text += ", with blanks or commas between";
  return s.padded ? text + ", each row on a line of its own" : text;
}

nlohmann::json GridView::json(ObservationView observation) const {
  const Cells cells = cells_of(space(), observation);
  const auto written = [&](int64_t value) -> nlohmann::json {
    if (symbols_.empty() || is_padding(value, 0)) return value;
    return symbols_[value];
  };
  nlohmann::json list = nlohmann::json::array();
  for (int64_t r = 0; r < cells.rows; ++r) {
    nlohmann::json row = nlohmann::json::array();
    for (int64_t c = 0; c < cells.columns; ++c) {
      nlohmann::json cell = nlohmann::json::array();
      for (int64_t k = 0; k < cells.channels; ++k) cell.push_back(written(cells.at(r, c, k)));
      row.push_back(space().shape.size() == 3 ? cell : cell[0]);
    }
    list.push_back(std::move(row));
  }
  return list;
}

bool GridView::is_padding(int64_t value, int64_t channel) const {
  return space().padded && value == space().values_at(channel) - 1;
}

std::string GridView::cell_text(int64_t value, int64_t channel) const {
  if (is_padding(value, channel)) return std::string(static_cast<size_t>(cell_columns_), ' ');
  std::string text;
  if (symbols_.are_characters())
    text = symbols_[value];
  else if (value == 0)
    text = ".";
  else if (space().values_at(channel) > kCharacterValues && cell_columns_ > 1)
    text = fmt::format("{:02x}", value);
  else
    text = value < kCharacterValues ? value_character(value) : '#';
  return std::string(static_cast<size_t>(cell_columns_) - utf8_columns(text), ' ') + text;
}

// In colour, a narrow plane has two rows of cells on a line.
std::string GridView::terminal_row_of_plane(const std::vector<int64_t>& values, int64_t row, int64_t channel,
                                            bool colour) const {
  const Space& s = space();
  const auto value_at = [&](int64_t r, int64_t c) {
    return values[static_cast<size_t>((r * s.columns() + c) * s.channels() + channel)];
  };
  const auto is_blank = [&](int64_t r, int64_t c) {
    return r >= s.rows() || is_padding(value_at(r, c), channel);
  };
  const auto colour_at = [&](int64_t r, int64_t c) {
    return is_blank(r, c) ? kPaper : value_colour(value_at(r, c), s.values_at(channel));
  };
  std::string line;
  for (int64_t c = 0; c < s.columns(); ++c) {
    if (!colour) {
      line += cell_text(value_at(row, c), channel);
    } else if (cell_columns_ > 1) {
      line += is_blank(row, c) ? std::string(kPlainCode) : background_code(colour_at(row, c));
      line += std::string(static_cast<size_t>(cell_columns_), ' ');
    } else if (is_blank(row, c) && is_blank(row + 1, c)) {
      line += std::string(kPlainCode) + ' ';
    } else {
      line += half_block(colour_at(row, c), colour_at(row + 1, c));
    }
  }
  return colour ? line + std::string(kPlainCode) : line;
}

int GridView::columns() const {
  const int plane = static_cast<int>(space().columns()) * cell_columns_ + kPlaneColumns;
  return planes_in_terminal_ * plane - kPlaneColumns;
}

std::vector<std::string> GridView::lines(ObservationView observation, bool colour) const {
  const Space& s = space();
  const auto values = integers_of(s, observation);
  const int64_t step = colour && cell_columns_ == 1 ? 2 : 1;
  const std::string nothing(static_cast<size_t>(s.columns() * cell_columns_), ' ');
  std::vector<std::string> lines;
  for (int64_t first = 0; first < s.channels(); first += planes_in_terminal_) {
    if (first > 0) lines.emplace_back(static_cast<size_t>(columns()), ' ');
    for (int64_t row = 0; row < s.rows(); row += step) {
      std::string line;
      for (int64_t k = first; k < first + planes_in_terminal_; ++k) {
        if (k > first) line += std::string(kPlaneColumns, ' ');
        line += k < s.channels() ? terminal_row_of_plane(values, row, k, colour) : nothing;
      }
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

Extent GridView::plane_extent() const {
  return {framed(space().columns(), cell_pixels_), framed(space().rows(), cell_pixels_)};
}

Extent GridView::extent() const {
  const Extent plane = plane_extent();
  const int channels = static_cast<int>(space().channels());
  const int below = (channels + planes_in_drawing_ - 1) / planes_in_drawing_;
  return {planes_in_drawing_ * (plane.width + kPlaneGap) - kPlaneGap,
          below * (plane.height + kPlaneGap) - kPlaneGap};
}

void GridView::draw(Surface& surface, int x, int y, ObservationView observation) const {
  const Cells cells = cells_of(space(), observation);
  const Extent plane = plane_extent();
  const int inner = cell_pixels_ - line_pixels(cell_pixels_);
  for (int k = 0; k < static_cast<int>(cells.channels); ++k) {
    const int left = x + k % planes_in_drawing_ * (plane.width + kPlaneGap);
    const int top = y + k / planes_in_drawing_ * (plane.height + kPlaneGap);
    if (!cells.values.empty())
      surface.fill(left, top, framed(cells.columns, cell_pixels_), framed(cells.rows, cell_pixels_), kLine);
    for (int r = 0; r < static_cast<int>(cells.rows); ++r) {
      for (int c = 0; c < static_cast<int>(cells.columns); ++c) {
        const int64_t value = cells.at(r, c, k);
        surface.fill(left + c * cell_pixels_ + 1, top + r * cell_pixels_ + 1, inner, inner,
                     is_padding(value, k) ? kPaper : value_colour(value, space().values_at(k)));
      }
    }
  }
}

}  // namespace neo
