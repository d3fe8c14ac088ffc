#include "data/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text.h"

namespace neo {

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::vector<double> numbers_of(std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n,;";
  text = trimmed(text);
  if (text.size() >= 2 &&
      ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')')))
    text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  for (size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const auto number = number_of(text.substr(at, end - at));
    if (!number) return {};
    numbers.push_back(*number);
    at = text.find_first_not_of(kBetween, end);
  }
  return numbers;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_not_finite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string word = lowercase(text);
  return word == "nan" || word == "inf" || word == "infinity" || word == "null" || word == "na" ||
         word == "n/a";
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

}  // namespace neo
