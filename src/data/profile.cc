#include "data/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/text.h"
#include "data/encoding.h"
#include "data/number_text.h"

namespace neo {
namespace {
constexpr int64_t kMostNumbersSeen = 1 << 16;

// "1,5" or "1,000,000": one number to some, a list of several to us.
bool has_number_comma(std::string_view text) {
  const size_t first = text.find(',');
  if (first == std::string_view::npos || text.find_first_not_of("+-.0123456789,") != std::string_view::npos)
    return false;
  size_t digits = 0, commas = 0;
  for (char c : text.substr(first)) {
    if (c == ',' && commas++ > 0 && digits != 3) return false;
    digits = c == ',' ? 0 : digits + 1;
  }
  return commas == 1 || digits == 3;
}
}  // namespace

std::string place_of(const RawValue& value, const char* side) {
  return *value.at.unit ? fmt::format("{}, {}", value.at.text(), side) : value.at.text();
}

int64_t ArrayProfile::numbers() const {
  return std::accumulate(most.begin(), most.end(), int64_t{1}, std::multiplies<>());
}

void ArrayProfile::add(const std::vector<int64_t>& shape, const std::vector<double>& values,
                       const RawValue& from, const char* side) {
  if (values.empty()) fail("{} is empty; leave the pair out", place_of(from, side));
  if (shape.size() > 3)
    fail("{} has {} dimensions; observations have up to three", place_of(from, side), shape.size());
  if (static_cast<int64_t>(values.size()) > kMostNumbersSeen)
    fail("{} has {} numbers; observations have up to {}", place_of(from, side), values.size(),
         kMostNumbersSeen);
  if (first.empty()) {
    first = most = shape;
    first_where = most_where = place_of(from, side);
    lowest = highest = {values[0], first_where};
    if (shape.size() == 3) channel_highest.assign(static_cast<size_t>(shape[2]), 0);
  } else if (shape != first) {
    if (shape.size() != first.size())
      fail("{} is {} and {} is {}; give all the same number of dimensions", first_where,
           fmt::join(first, "x"), place_of(from, side), fmt::join(shape, "x"));
    if (other.empty()) {
      other = shape;
      other_where = place_of(from, side);
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] <= most[d]) continue;
      most[d] = shape[d];
      most_where = place_of(from, side);
    }
  }
  is_stored_real |= from.is_real;
  all_bytes &= from.is_byte;
  all_pictures &= from.is_picture;
  double low = values[0], high = values[0];
  for (double v : values) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  if (from.is_real) {  // others can neither have fractions nor be infinite
    if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); }))
      fail("{} has a number that is not finite (NaN or infinity); leave the pair out", place_of(from, side));
    is_whole = is_whole && std::ranges::all_of(values, [](double v) { return v == std::floor(v); });
  }
  if (low < lowest.value) lowest = {low, place_of(from, side)};
  if (high > highest.value) highest = {high, place_of(from, side)};
  add_used(values, high);
  add_channels(shape, values, high);
}

void ArrayProfile::add_used(const std::vector<double>& values, double high) {
  if (!is_category() || high >= static_cast<double>(used.size())) return;
  const auto end = used.begin() + static_cast<std::ptrdiff_t>(high) + 1;
  if (std::find(used.begin(), end, false) == end) return;  // nothing new to be seen; most pictures end here
  for (double v : values) used[static_cast<size_t>(v)] = true;
}

void ArrayProfile::add_channels(const std::vector<int64_t>& shape, const std::vector<double>& values,
                                double high) {
  const size_t channels = channel_highest.size();
  if (channels == 0 || shape[2] != static_cast<int64_t>(channels) ||
      high <= std::ranges::min(channel_highest))
    return;
  for (size_t i = 0; i < values.size(); i += channels)
    for (size_t c = 0; c < channels; ++c) channel_highest[c] = std::max(channel_highest[c], values[i + c]);
}

void TextProfile::add(const RawValue& value, const char* side, int64_t base, size_t most_alphabet) {
  add_number(value, side, base);
  add_tokens(value, side, most_alphabet);
}

// A column of texts beside one of numbers is no mistake.
std::string TextProfile::stray_text() const {
  const auto& [x, y] = sides_;
  if ((x.numbers + y.numbers) * 2 <= x.texts + y.texts) return "";
  for (const Side& side : sides_)
    if (!side.other_where.empty() && side.numbers * 2 >= side.texts) return side.other_where;
  return "";
}

void TextProfile::add_digits(std::string_view text, const RawValue& value, const char* side, int64_t base) {
  int largest = text.empty() ? 36 : 0;
  for (char c : text) largest = std::max(largest, digit_value(c));
  largest_digit = std::max(largest_digit, largest);
  const bool based = largest < base;
  if (!based && no_digits_where.empty()) no_digits_where = place_of(value, side);
  all_based &= based;
  if (!based) return;
  const size_t zeros = std::min(text.find_first_not_of('0'), text.size());
  const auto digits = static_cast<int64_t>(text.size() - zeros);
  if (digits <= most_digits) return;
  most_digits = digits;
  longest_where = place_of(value, side);
}

void TextProfile::add_number(const RawValue& value, const char* side, int64_t base) {
  const std::string_view text = trimmed(value.text);
  Side& of_side = sides_[*side == 'y' ? 1 : 0];
  ++of_side.texts;
  if (is_not_finite(text)) {
    if (not_finite_where.empty()) not_finite_where = place_of(value, side);
    all_digits = all_based = all_numbers = all_lists = false;
    return;
  }
  all_digits &= is_digits(text);
  add_digits(text, value, side, base);
  const std::vector<double> list = numbers_of(text);
  of_side.numbers += !list.empty();
  all_numbers &= list.size() == 1;
  all_lists &= !list.empty();
  if (list.empty()) {
    others_are_numbers = false;
    if (no_list_where.empty()) no_list_where = place_of(value, side);
    if (of_side.other_where.empty()) of_side.other_where = place_of(value, side);
  }
  if (!all_lists) return;
  if (comma_text.empty() && has_number_comma(text)) comma_text = text;
  RawValue from;
  from.at = value.at;
  from.is_real = text.find_first_of(".eE") != std::string_view::npos;
  lists.add({static_cast<int64_t>(list.size())}, list, from, side);
}

void TextProfile::add_tokens(const RawValue& value, const char* side, size_t most_alphabet) {
  const auto learn = [&](std::string_view token) {
    if (token.size() == 1 && static_cast<unsigned char>(token[0]) < 128) {
      const auto c = static_cast<size_t>(token[0]);
      if (ascii_[c]) return;
      ascii_.set(c);
    }
    if (alphabet.size() > most_alphabet) return;
    alphabet.emplace(token);
    if (alphabet.size() > most_alphabet && alphabet_where.empty()) alphabet_where = place_of(value, side);
  };
  int64_t count = 0;
  try {
    for (const std::string& token : tokens_of(value)) {
      learn(token);
      ++count;
    }
  } catch (const Error& error) {
    fail("{}: {}", place_of(value, side), error.what());
  }
  if (least_tokens < 0 || count < least_tokens) least_tokens = count;
  if (count <= most_tokens) return;
  most_tokens = count;
  most_tokens_where = place_of(value, side);
}

}  // namespace neo
