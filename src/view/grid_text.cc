// Grids as people write and paint them: GridView::parse_text and from_picture.

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "core/text.h"
#include "data/read_png.h"
#include "view/layouts.h"

namespace neo {
namespace {

constexpr std::string_view kCellSeparators = " \t\r,[(){}|\"'";
constexpr std::string_view kRowSeparators = "\n/;]";

using Rows = std::vector<std::vector<std::string_view>>;

Rows rows_of(std::string_view text, const Symbols& symbols) {
  Rows rows;
  for (std::string_view row : words_of(text, symbols.usable(kRowSeparators))) {
    auto words = words_of(row, symbols.usable(kCellSeparators));
    if (!words.empty()) rows.push_back(std::move(words));
  }
  return rows;
}

// Every word cut into its characters.
void split_characters(Rows& rows) {
  for (auto& row : rows) {
    std::vector<std::string_view> characters;
    for (std::string_view word : row) {
      while (!word.empty()) {
        const size_t bytes = std::max<size_t>(1, utf8_length(word));
        characters.push_back(word.substr(0, bytes));
        word.remove_prefix(bytes);
      }
    }
    row = std::move(characters);
  }
}

// Whether words stand for rows, their characters for cells, where both are possible.
bool words_are_rows(const Rows& rows, const Space& space) {
  return space.most_values() <= kCharacterValues && space.columns() * space.channels() > 1 &&
         std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.size() == 1; });
}

// Columns were written as rows.
bool is_turned(const Rows& rows, size_t longest, const Space& space) {
  return space.rows() != space.columns() && rows.size() > 1 && longest > 1 &&
         static_cast<int64_t>(rows.size()) == space.columns() &&
         static_cast<int64_t>(longest) == space.rows() * space.channels();
}

// An edge's pixels per cell, 0 where the picture does not fit.
int64_t picture_scale(const Picture& picture, const Space& space) {
  if (space.padded && picture.width <= space.columns() && picture.height <= space.rows()) return 1;
  const int64_t scale = picture.width / space.columns();
  return picture.width == scale * space.columns() && picture.height == scale * space.rows() ? scale : 0;
}

Colour picture_pixel(const Picture& picture, int64_t x, int64_t y) {
  const uint8_t* p = &picture.pixels[static_cast<size_t>((y * picture.width + x) * 3)];
  return {p[0], p[1], p[2]};
}

bool is_uniform(const Picture& picture, int64_t left, int64_t top, int64_t scale) {
  const Colour colour = picture_pixel(picture, left, top);
  for (int64_t y = top; y < top + scale; ++y)
    for (int64_t x = left; x < left + scale; ++x)
      if (picture_pixel(picture, x, y) != colour) return false;
  return true;
}

}  // namespace

int64_t GridView::cell_value(std::string_view word) const {
  if (!symbols_.empty()) {
    if (const auto value = symbols_.find(word)) return *value;
  } else {
    if (word == ".") return 0;  // as grids are drawn on terminals
    if (const auto number = whole_number(word)) return *number;
    if (word.size() == 1 && space().most_values() > 10)
      if (const auto value = character_value(word[0])) return *value;
  }
  refuse(fmt::format("'{}' is not a cell of a grid", printable(word, 20)));
}

Observation GridView::parse_text(const std::string& text) const {
  const Space& s = space();
  Rows rows = rows_of(text, symbols_);
  if (rows.empty()) refuse("a grid is missing");
  if (symbols_.empty() ? s.most_values() <= 10 || words_are_rows(rows, s) : symbols_.are_characters())
    split_characters(rows);

  size_t total = 0, longest = 0;
  for (const auto& row : rows) {
    total += row.size();
    longest = std::max(longest, row.size());
  }
  const bool is_whole = static_cast<int64_t>(total) == s.size();
  if (!s.padded && (!is_whole || is_turned(rows, longest, s)))
    refuse(rows.size() > 1 ? fmt::format("{} rows of up to {} cells", rows.size(),
                                         static_cast<int64_t>(longest) / s.channels())
                           : fmt::format("{} cells", static_cast<int64_t>(total) / s.channels()));
  if (static_cast<int64_t>(longest) % s.channels() != 0) refuse(fmt::format("a row of {} numbers", longest));

  Array array{.shape = {static_cast<int64_t>(rows.size()), static_cast<int64_t>(longest) / s.channels(),
                        s.channels()}};
  if (is_whole) array.shape = {s.size()};  // wherever its rows end
  for (const auto& row : rows) {
    for (std::string_view word : row) array.values.push_back(static_cast<double>(cell_value(word)));
    if (!is_whole) array.values.resize(array.values.size() + longest - row.size(), std::nan(""));
  }
  return conform(array);
}

Observation GridView::from_picture(const std::filesystem::path& path, std::string* note) const {
  const Space& s = space();
  if (s.channels() > 1) refuse("a picture shows one value per cell");
  const Picture picture = read_png(path, 3);
  const int64_t scale = picture_scale(picture, s);
  if (scale == 0)
    refuse(fmt::format("a picture of {}x{} pixels (width x height) is no multiple of the grid's size",
                       picture.width, picture.height));
  std::map<Colour, int64_t> values;
  for (int64_t value = 0; value < writable_values(0); ++value)
    values.emplace(value_colour(value, s.values[0]), value);
  Array array{.shape = {picture.height / scale, picture.width / scale}};
  for (int64_t y = 0; y < picture.height; y += scale) {
    for (int64_t x = 0; x < picture.width; x += scale) {
      const Colour c = picture_pixel(picture, x, y);
      const auto found = values.find(c);
      if (found == values.end() || !is_uniform(picture, x, y, scale))
        fail_usage(
            "the cell in row {}, column {} has a colour (#{:02x}{:02x}{:02x}) that stands for no value, or "
            "several; draw with the colours that neo draws with, or give the cells as text, .npy or .json",
            y / scale + 1, x / scale + 1, c[0], c[1], c[2]);
      array.values.push_back(static_cast<double>(found->second));
    }
  }
  if (note && scale > 1)
    *note = fmt::format("{}: {}x{} pixels taken as one cell", path.string(), scale, scale);
  return conform(array);
}

}  // namespace neo
