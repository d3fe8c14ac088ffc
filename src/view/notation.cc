#include "view/notation.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace neo {
namespace {

constexpr std::string_view kCharacters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static_assert(kCharacters.size() == kCharacterValues);

template <typename Number>
std::optional<Number> number_in(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('+')) return std::nullopt;
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
}

std::optional<int64_t> whole_number(std::string_view word) { return number_in<int64_t>(word); }

std::optional<double> real_number(std::string_view word) {
  const auto number = number_in<double>(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

char value_character(int64_t value) { return kCharacters[static_cast<size_t>(value)]; }

std::optional<int64_t> character_value(char c) {
  const size_t at = kCharacters.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<int64_t>(at);
}

std::vector<int64_t> integers_of(const Space& space, ObservationView observation) {
  const auto values = values_of(space, observation);
  return {values.begin(), values.end()};
}

Observation observation_of_integers(const Space& space, const std::vector<int64_t>& values) {
  return observation_of(space, std::vector<double>(values.begin(), values.end()));
}

Symbols::Symbols(const Space& space) : symbols_(space.symbols) {
  if (space.padded && !symbols_.empty()) symbols_.pop_back();
  are_characters_ = !symbols_.empty();
  for (size_t i = 0; i < symbols_.size(); ++i) {
    values_.emplace(symbols_[i], static_cast<int64_t>(i));
    are_characters_ &= utf8_columns(symbols_[i]) == 1;
  }
}

std::optional<int64_t> Symbols::find(std::string_view symbol) const {
  const auto found = values_.find(symbol);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::string Symbols::examples() const {
  constexpr size_t kMost = 12;
  std::string text;
  for (size_t i = 0; i < std::min(symbols_.size(), kMost); ++i)
    text += (i > 0 ? " " : "") + printable(symbols_[i], 20);
  return symbols_.size() > kMost ? text + " ..." : text;
}

std::string Symbols::usable(std::string_view separators) const {
  std::string usable;
  for (char c : separators)
    if (!values_.contains(std::string_view(&c, 1))) usable += c;
  return usable;
}

}  // namespace neo
