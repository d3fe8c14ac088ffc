#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/code_point.h"

namespace neo {
namespace {

struct Utf8Form {
  size_t length;
  uint8_t second_min, second_max;  // what the second byte may be; rules out overlong forms and surrogates
};

Utf8Form form_of(uint8_t first) {
  if (first < 0x80) return {1, 0, 0};
  if (first < 0xc2) return {0, 0, 0};
  if (first < 0xe0) return {2, 0x80, 0xbf};
  if (first == 0xe0) return {3, 0xa0, 0xbf};
  if (first == 0xed) return {3, 0x80, 0x9f};
  if (first < 0xf0) return {3, 0x80, 0xbf};
  if (first == 0xf0) return {4, 0x90, 0xbf};
  if (first < 0xf4) return {4, 0x80, 0xbf};
  if (first == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

// Insertions, deletions, replacements and swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    next[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({next[j] + 1, row[j + 1] + 1, row[j] + (a[i] == b[j] ? 0 : 1)});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row.back();
}

struct CodeRange {
  char32_t first, last;
};
// What moves the cursor, cannot be seen, or makes text run the other way.
constexpr CodeRange kUnprintable[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},      {0xad, 0xad},     {0x61c, 0x61c},    {0x180e, 0x180e},
    {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f}, {0xfeff, 0xfeff},  {0xfff9, 0xfffb},
    {0xe0000, 0xe007f},
};

bool is_unprintable(std::string_view character) {
  const char32_t code = code_point(character);
  return std::ranges::any_of(kUnprintable,
                             [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

char32_t code_point(std::string_view character) {
  const auto first = static_cast<uint8_t>(character[0]);
  if (character.size() == 1) return first;
  char32_t code = first & (0x7fu >> character.size());
  for (char byte : character.substr(1)) code = code << 6 | (static_cast<uint8_t>(byte) & 0x3f);
  return code;
}

size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const Utf8Form form = form_of(static_cast<uint8_t>(text[0]));
  if (form.length > text.size()) return 0;
  for (size_t i = 1; i < form.length; ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    const bool valid = i == 1 ? byte >= form.second_min && byte <= form.second_max : (byte & 0xc0) == 0x80;
    if (!valid) return 0;
  }
  return form.length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

size_t utf8_columns(std::string_view text) {
  size_t columns = 0;
  for (; !text.empty(); ++columns) text.remove_prefix(std::max<size_t>(1, utf8_length(text)));
  return columns;
}

std::string utf8_prefix(std::string_view text, size_t columns) {
  std::string_view rest = text;
  for (; columns > 0 && !rest.empty(); --columns) rest.remove_prefix(std::max<size_t>(1, utf8_length(rest)));
  return std::string(text.substr(0, text.size() - rest.size()));
}

std::string printable(std::string_view text, size_t limit) {
  std::string result;
  for (size_t count = 0; !text.empty(); ++count) {
    if (count == limit) return result + "…";
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(1, length));
    if (length == 0 || is_unprintable(character)) {
      for (char byte : character) result += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

std::string wrapped(std::string_view text, size_t columns) {
  std::string lines;
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = text.substr(at, text.find(' ', at) - at);
    const size_t width = utf8_columns(word);
    if (column > 0) {
      const bool fits = column + 1 + width <= columns;
      lines += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    lines += word;
    column += width;
    at += word.size() + 1;
  }
  return lines;
}

std::string counted(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowercase(std::string_view text) {
  std::string copy(text);
  for (char& c : copy)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return copy;
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, std::min<size_t>(word.size(), 24) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t longer = std::max(word.size(), candidate.size());
    const size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= best_distance) continue;  // also keeps hostile, huge words cheap
    const size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace neo
