#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

// Bytes of the UTF-8 character that `text` starts with; 0 when it is empty or starts with a broken one.
size_t utf8_length(std::string_view text);
bool is_utf8(std::string_view text);
// Characters of `text`; a broken byte counts as one. Terminal columns, as long as nothing is double-width.
size_t utf8_columns(std::string_view text);
// The first `columns` characters of `text`.
std::string utf8_prefix(std::string_view text, size_t columns);

// Text from outside (keys, names, file content) made fit for a one-line message: control characters,
// characters that are not seen or turn the direction of writing, and broken UTF-8 become \xNN; what exceeds
// `limit` characters is cut.
std::string printable(std::string_view text, size_t limit = 80);

constexpr size_t kPageWidth = 80;
// Broken into lines of up to `columns` characters, at blanks; a longer word has a line of its own.
std::string wrapped(std::string_view text, size_t columns = kPageWidth);
// "1 pair", "2 pairs".
std::string counted(int64_t count, std::string_view noun);

// Strips blanks from both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");
std::string lowercase(std::string_view text);  // A to Z only

// The candidate closest to `word` in edits, when it is close enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace neo
