#include "worlds/draw.h"

#include <algorithm>

#include "core/error.h"

namespace neo {
namespace {

constexpr Colour kGridLine{214, 214, 210};
constexpr int kCell = 9;        // pixels of a grid cell, with its line
constexpr int kImageScale = 4;  // pixels of an image pixel
constexpr int kDigitScale = 4;

void draw_grid(Surface& canvas, int x, int y, ObservationView grid, int side) {
  canvas.fill(x, y, side * kCell + 1, side * kCell + 1, kGridLine);
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      canvas.fill(x + column * kCell + 1, y + row * kCell + 1, kCell - 1, kCell - 1,
                  cell_colour(grid[static_cast<size_t>(row * side + column)]));
    }
  }
}

std::string as_number(ObservationView digits) {
  std::string text;
  for (uint8_t digit : digits) text += static_cast<char>('0' + digit);
  const size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? "0" : text.substr(first);
}

std::string background(Colour c) { return fmt::format("\x1b[48;2;{};{};{}m", c[0], c[1], c[2]); }

std::string grid_line(ObservationView grid, int row, int side, bool colour) {
  std::string line;
  for (int column = 0; column < side; ++column) {
    const int value = grid[static_cast<size_t>(row * side + column)];
    if (colour) {
      line += background(cell_colour(value)) + "  ";
    } else {
      line += value == 0 ? " ." : fmt::format(" {}", value);
    }
  }
  return colour ? line + "\x1b[0m" : line;
}

// Two image rows per text line: the upper half block in the foreground colour over the background colour.
std::string image_line(ObservationView image, int row, int width, bool colour) {
  static constexpr std::string_view kRamp = " .:-=+*#%@";
  std::string line;
  for (int column = 0; column < width; ++column) {
    const uint8_t* top = &image[static_cast<size_t>(3 * (2 * row * width + column))];
    const uint8_t* bottom = top + 3 * width;
    if (colour) {
      line += fmt::format("\x1b[38;2;{};{};{}m", top[0], top[1], top[2]) +
              background({bottom[0], bottom[1], bottom[2]}) + "▀";
    } else {
      const int light = (top[0] + top[1] + top[2] + bottom[0] + bottom[1] + bottom[2]) / 6;
      line += kRamp[static_cast<size_t>(light * 9 / 255)];
    }
  }
  return colour ? line + "\x1b[0m" : line;
}

}  // namespace

Colour cell_colour(int value) {
  static constexpr std::array<Colour, 9> colours{{{252, 252, 250},
                                                  {31, 119, 180},
                                                  {214, 39, 40},
                                                  {44, 160, 44},
                                                  {247, 201, 46},
                                                  {127, 127, 127},
                                                  {227, 119, 194},
                                                  {255, 127, 14},
                                                  {23, 190, 207}}};
  return colours[static_cast<size_t>(std::clamp(value, 0, 8))];
}

Extent drawn_extent(const World& world) {
  const auto shape = world.shape();
  if (shape.size() == 3)
    return {static_cast<int>(shape[1]) * kImageScale, static_cast<int>(shape[0]) * kImageScale};
  if (shape.size() == 2)
    return {static_cast<int>(shape[1]) * kCell + 1, static_cast<int>(shape[0]) * kCell + 1};
  return {static_cast<int>(shape[0]) * 4 * kDigitScale, 5 * kDigitScale};
}

void draw_observation(Surface& canvas, int x, int y, const World& world, ObservationView observation) {
  const auto shape = world.shape();
  if (shape.size() == 3) {
    canvas.image(x, y, observation, static_cast<int>(shape[1]), kImageScale);
  } else if (shape.size() == 2) {
    draw_grid(canvas, x, y, observation, static_cast<int>(shape[0]));
  } else {
    const std::string number = as_number(observation);
    canvas.text(x + drawn_extent(world).width - Canvas::text_width(number, kDigitScale), y, number,
                kDigitScale, kInk);
  }
}

Canvas contact_sheet(const World& world, const std::vector<Episode>& episodes) {
  const Extent extent = drawn_extent(world);
  const int columns = world.shape().size() == 1 ? 1 : 2;  // episodes beside each other
  const int block = 4 * extent.width + 5 * kGap + 2 * kGap;
  const int row_height = extent.height + 2 * kGap + 12;
  const int rows = (static_cast<int>(episodes.size()) + columns - 1) / columns;
  Canvas canvas(std::max(columns * block + kGap, 200), rows * row_height + kGap, kPaper);
  for (size_t i = 0; i < episodes.size(); ++i) {
    const Episode& episode = episodes[i];
    int x = kGap + static_cast<int>(i % static_cast<size_t>(columns)) * block;
    const int y = kGap + static_cast<int>(i / static_cast<size_t>(columns)) * row_height;
    canvas.text(x, y, world.program_text(episode.program), kTextScale, kInk);
    const std::array<const Observation*, 4> parts{&episode.support_x, &episode.support_y, &episode.query_x,
                                                  &episode.query_y};
    for (size_t part = 0; part < parts.size(); ++part) {
      draw_observation(canvas, x, y + kTextLine, world, *parts[part]);
      x += extent.width + kGap;
      if (part % 2 == 0)
        canvas.text(x - kGap + 3, y + kTextLine + extent.height / 2 - 4, ">", kTextScale, kInk);
      if (part == 1) x += kGap;
    }
  }
  return canvas;
}

int terminal_columns(const World& world) {
  const auto shape = world.shape();
  return static_cast<int>(shape.size() == 2 ? 2 * shape[1] : shape[shape.size() == 1 ? 0 : 1]);
}

std::vector<std::string> terminal_lines(const World& world, ObservationView observation, bool colour) {
  const auto shape = world.shape();
  if (shape.size() == 1) return {fmt::format("{:>{}}", as_number(observation), shape[0])};
  const bool image = shape.size() == 3;
  std::vector<std::string> lines;
  for (int row = 0; row < static_cast<int>(image ? shape[0] / 2 : shape[0]); ++row) {
    lines.push_back(image ? image_line(observation, row, static_cast<int>(shape[1]), colour)
                          : grid_line(observation, row, static_cast<int>(shape[1]), colour));
  }
  return lines;
}

std::string terminal_row(const World& world, const std::vector<Observation>& observations, bool colour) {
  const auto shape = world.shape();
  if (shape.size() == 1) {
    std::string line;
    for (const Observation& o : observations) line += (line.empty() ? "" : " → ") + as_number(o);
    return line + "\n";
  }
  std::vector<std::string> rows;
  for (size_t i = 0; i < observations.size(); ++i) {
    const auto lines = terminal_lines(world, observations[i], colour);
    rows.resize(lines.size());
    for (size_t row = 0; row < lines.size(); ++row) {
      if (i > 0) rows[row] += row == lines.size() / 2 ? " → " : "   ";
      rows[row] += lines[row];
    }
  }
  std::string text;
  for (const std::string& row : rows) text += row + '\n';
  return text;
}

}  // namespace neo
