#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "view/layouts.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr std::string_view kNumberSeparators = " \t\r\n,;[](){}|";
constexpr int64_t kMostListed = 64;  // terminal: above, only bars
constexpr int kLinesListed = 16;     // terminal
constexpr int kEntryColumns = 15;    // "x12 -1.23e-05 ▃"
constexpr int kEntryGap = 2;
constexpr int kBarsHeight = 64;  // pixels of a drawing, both ways
constexpr int kWidestBars = 256;
constexpr int kScaleText = 10;  // pixels for the scale's number above the bars
constexpr Colour kPositive{31, 119, 180}, kNegative{214, 39, 40};

// One of eight heights, or nothing for zero.
std::string bar_character(double share) {
  static constexpr std::array<std::string_view, 9> kBars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  return std::string(kBars[static_cast<size_t>(std::clamp<int64_t>(std::lround(8 * share), 0, 8))]);
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (double value : values) most = std::max(most, std::abs(value));
  return most;
}

std::string coloured_bar(double value, double most, bool colour) {
  const std::string bar = bar_character(most > 0 ? std::abs(value) / most : 0);
  return colour ? foreground_code(value < 0 ? kNegative : kPositive) + bar + std::string(kPlainCode) : bar;
}

std::vector<std::string> listed(const std::vector<double>& values, bool colour) {
  const double most = largest(values);
  const size_t rows = std::min<size_t>(values.size(), kLinesListed);
  std::vector<std::string> lines(rows);
  for (size_t i = 0; i < (values.size() + rows - 1) / rows * rows; ++i) {
    std::string& line = lines[i % rows];
    if (!line.empty()) line += std::string(kEntryGap, ' ');
    line += i < values.size() ? fmt::format("{:<3} {:>9.3g} {}", fmt::format("x{}", i + 1), values[i],
                                            coloured_bar(values[i], most, colour))
                              : std::string(kEntryColumns, ' ');
  }
  return lines;
}

// From the smallest to the largest number, as many as a line holds.
std::vector<std::string> bars(const std::vector<double>& values, bool colour) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  std::vector<std::string> lines;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kTerminalWidth == 0) lines.emplace_back();
    const double share = *high > *low ? (values[i] - *low) / (*high - *low) : 0;
    lines.back() += colour ? foreground_code(values[i] < 0 ? kNegative : kPositive) : "";
    lines.back() += bar_character((1 + 7 * share) / 8);
  }
  if (const size_t last = values.size() % kTerminalWidth; last > 0 && values.size() > kTerminalWidth)
    lines.back() += std::string(kTerminalWidth - last, ' ');
  if (colour)
    for (std::string& line : lines) line += kPlainCode;
  const size_t width = std::min<size_t>(values.size(), kTerminalWidth);
  lines.push_back(fmt::format("{:<{}}", fmt::format("{:.3g} to {:.3g}", *low, *high), width));
  return lines;
}

int bar_pixels(int64_t numbers) { return numbers <= 16 ? 12 : numbers <= 64 ? 5 : numbers <= 128 ? 2 : 1; }

// How many numbers share a bar of a drawing.
int64_t numbers_per_bar(int64_t numbers) { return (numbers + kWidestBars - 1) / kWidestBars; }

}  // namespace

std::string VectorView::expectation() const {
  if (space().size() == 1) return "1 number";
  return fmt::format("{} numbers with blanks or commas between", space().size());
}

Observation VectorView::parse_text(const std::string& text) const {
  Array array{.shape = {0}, .is_real = true};
  for (std::string_view word : words_of(text, kNumberSeparators)) {
    const auto number = real_number(word);
    if (!number) refuse(fmt::format("'{}' is not a number", printable(word, 40)));
    array.values.push_back(*number);
  }
  array.shape[0] = static_cast<int64_t>(array.values.size());
  if (array.values.empty()) refuse("a vector is missing");
  if (array.shape[0] != space().size())
    refuse(fmt::format("{} number{}", array.shape[0], array.shape[0] == 1 ? "" : "s"));
  return conform(array);
}

int VectorView::columns() const {
  const int64_t numbers = space().size();
  if (numbers > kMostListed) return static_cast<int>(std::min<int64_t>(numbers, kTerminalWidth));
  const int beside = static_cast<int>((numbers + kLinesListed - 1) / kLinesListed);
  return beside * (kEntryColumns + kEntryGap) - kEntryGap;
}

std::vector<std::string> VectorView::lines(ObservationView observation, bool colour) const {
  const auto values = values_of(space(), observation);
  return space().size() <= kMostListed ? listed(values, colour) : bars(values, colour);
}

Extent VectorView::extent() const {
  const int64_t numbers = space().size();
  const auto drawn = static_cast<int>((numbers + numbers_per_bar(numbers) - 1) / numbers_per_bar(numbers));
  return {std::max(40, drawn * bar_pixels(numbers) + 1), kScaleText + kBarsHeight + 1};
}

// Bars around a zero line; the largest number of this vector, written above, reaches the edge.
void VectorView::draw(Surface& surface, int x, int y, ObservationView observation) const {
  const auto values = values_of(space(), observation);
  const double most = largest(values);
  const int half = kBarsHeight / 2, zero = y + kScaleText + half, width = bar_pixels(space().size());
  surface.text(x, y, fmt::format("max {:.3g}", most), 1, kInk);
  surface.fill(x, y + kScaleText, extent().width, kBarsHeight + 1, {255, 255, 255});
  surface.fill(x, zero, extent().width, 1, kLine);
  const auto per_bar = static_cast<size_t>(numbers_per_bar(space().size()));
  int left = x + 1;
  for (size_t i = 0; i < values.size(); i += per_bar, left += width) {
    const auto end = values.begin() + static_cast<int64_t>(std::min(i + per_bar, values.size()));
    const auto [low, high] = std::minmax_element(values.begin() + static_cast<int64_t>(i), end);
    const auto height = [&](double value) {
      return most > 0 ? static_cast<int>(std::lround(std::abs(value) / most * half)) : 0;
    };
    const int bar = std::max(1, width - (width > 2 ? 1 : 0));
    if (*high > 0) surface.fill(left, zero - height(*high), bar, height(*high), kPositive);
    if (*low < 0) surface.fill(left, zero + 1, bar, height(*low), kNegative);
  }
}

}  // namespace neo
