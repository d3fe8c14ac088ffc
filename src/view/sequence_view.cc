#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "view/layouts.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr std::string_view kTokenSeparators = " \t\r\n,;[](){}|/\"'";
constexpr int kWidestSequence = 320;  // pixels of a drawing
constexpr int kTokenMargin = 3;       // pixels around its text

// Small where there are many.
int token_scale(const Space& space) { return space.size() <= 64 ? 2 : 1; }

Extent token_extent(const Space& space, int token_columns) {
  const int scale = token_scale(space);
  return {(4 * token_columns - 1) * scale + 2 * kTokenMargin, 5 * scale + 2 * kTokenMargin};
}

// Lines of a drawing are equally long, as far as possible.
int tokens_per_drawn_line(const Space& space, int token_columns) {
  const int most = std::max(1, kWidestSequence / (token_extent(space, token_columns).width + 1));
  const int tokens = static_cast<int>(space.size()), lines = (tokens + most - 1) / most;
  return (tokens + lines - 1) / lines;
}

}  // namespace

SequenceView::SequenceView(const Space& s) : View(s), symbols_(s) {
  for (int64_t value = 0; value < std::max<int64_t>(1, writable_values(0)); ++value)
    token_columns_ = std::max(token_columns_, static_cast<int>(utf8_columns(token(value))));
  gap_ = token_columns_ == 1 ? 0 : 1;
  per_line_ =
      std::min(std::max(1, (kTerminalWidth + gap_) / (token_columns_ + gap_)), static_cast<int>(s.size()));
}

std::string SequenceView::token(int64_t value) const {
  if (value >= writable_values(0) && space().padded) return "";
  return symbols_.empty() ? std::to_string(value) : printable(symbols_[value], 64);
}

std::string SequenceView::expectation() const {
  const std::string count = fmt::format("{}{}", space().padded ? "up to " : "", space().size());
  if (symbols_.are_characters()) return fmt::format("{} characters of {}", count, symbols_.examples());
  if (!symbols_.empty())
    return fmt::format("{} words of {}, with blanks between", count, symbols_.examples());
  const int64_t most = writable_values(0) - 1;
  if (space().most_values() <= 10) return fmt::format("{} digits of 0 to {}", count, most);
  return fmt::format("{} numbers of 0 to {}, with blanks or commas between", count, most);
}

Observation SequenceView::parse_text(const std::string& text) const {
  const bool are_characters = symbols_.empty() ? space().most_values() <= 10 : symbols_.are_characters();
  Array array{.shape = {0}};
  const auto add = [&](std::string_view word) {
    const auto value = symbols_.empty() ? whole_number(word) : symbols_.find(word);
    if (!value) refuse(fmt::format("'{}' is no token of a sequence", printable(word, 20)));
    array.values.push_back(static_cast<double>(*value));
  };
  for (std::string_view word : words_of(text, symbols_.usable(kTokenSeparators))) {
    while (are_characters && !word.empty()) {
      const size_t bytes = std::max<size_t>(1, utf8_length(word));
      add(word.substr(0, bytes));
      word.remove_prefix(bytes);
    }
    if (!word.empty()) add(word);
  }
  array.shape[0] = static_cast<int64_t>(array.values.size());
  const bool fits = space().padded ? array.shape[0] >= 1 && array.shape[0] <= space().size()
                                   : array.shape[0] == space().size();
  if (array.values.empty()) refuse("a sequence is missing");
  if (!fits) refuse(fmt::format("a sequence of {} tokens", array.shape[0]));
  return conform(array);
}

nlohmann::json SequenceView::json(ObservationView observation) const {
  auto values = integers_of(space(), observation);
  const auto is_padding = [&](int64_t value) { return space().padded && value == space().values[0] - 1; };
  while (!values.empty() && is_padding(values.back())) values.pop_back();
  const bool inside = std::any_of(values.begin(), values.end(), is_padding);  // only a prediction has that
  if (symbols_.empty() || inside) return values;
  std::vector<std::string> symbols;
  for (int64_t value : values) symbols.push_back(symbols_[value]);
  if (symbols_.are_characters()) return fmt::format("{}", fmt::join(symbols, ""));
  return symbols;
}

int SequenceView::columns() const { return per_line_ * (token_columns_ + gap_) - gap_; }

std::vector<std::string> SequenceView::lines(ObservationView observation, bool colour) const {
  const auto values = integers_of(space(), observation);
  std::vector<std::string> lines;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool starts = i % static_cast<size_t>(per_line_) == 0;
    if (starts) lines.emplace_back();
    std::string& line = lines.back();
    if (!starts) line += std::string(static_cast<size_t>(gap_), ' ');
    const std::string written = token(values[i]);
    const std::string blanks(static_cast<size_t>(token_columns_) - utf8_columns(written), ' ');
    const std::string padded_token = symbols_.empty() ? blanks + written : written + blanks;
    if (!colour || written.empty()) {
      line += padded_token;
      continue;
    }
    const Colour background = value_colour(values[i], space().values[0]);
    line += background_code(background) + foreground_code(ink_on(background)) + padded_token;
    line += kPlainCode;
  }
  const size_t last = (values.size() - 1) % static_cast<size_t>(per_line_) + 1;
  lines.back() +=
      std::string((static_cast<size_t>(per_line_) - last) * static_cast<size_t>(token_columns_ + gap_), ' ');
  return lines;
}

Extent SequenceView::extent() const {
  const Extent token = token_extent(space(), token_columns_);
  const int beside = tokens_per_drawn_line(space(), token_columns_);
  const int below = (static_cast<int>(space().size()) + beside - 1) / beside;
  return {beside * (token.width + 1) + 1, below * (token.height + 1) + 1};
}

void SequenceView::draw(Surface& surface, int x, int y, ObservationView observation) const {
  const auto values = integers_of(space(), observation);
  const Extent box = token_extent(space(), token_columns_);
  const int beside = tokens_per_drawn_line(space(), token_columns_);
  const int scale = token_scale(space());
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    const std::string written = token(values[static_cast<size_t>(i)]);
    if (written.empty()) continue;
    const int left = x + i % beside * (box.width + 1), top = y + i / beside * (box.height + 1);
    const Colour background = value_colour(values[static_cast<size_t>(i)], space().values[0]);
    surface.fill(left, top, box.width + 2, box.height + 2, kLine);
    surface.fill(left + 1, top + 1, box.width, box.height, background);
    const int indent = (box.width - Surface::text_width(written, scale) + scale + 1) / 2;
    surface.text(left + 1 + indent, top + 1 + kTokenMargin, written, scale, ink_on(background));
  }
}

}  // namespace neo
