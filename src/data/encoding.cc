#include "data/encoding.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"
#include "data/number_text.h"

namespace neo {
namespace {

std::vector<double> digits_of(std::string_view text, const Space& space) {
  text = trimmed(text);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  const auto size = static_cast<size_t>(space.size());
  if (text.size() > size) fail("a number of {} digits, not {}", text.size(), size);
  std::vector<double> digits(size - text.size(), 0);
  for (char c : text) digits.push_back(digit_value(c));
  return digits;
}

// Rows of `shape` [rows, columns, channels] put into the upper left corner of the space's.
std::vector<double> padded_grid(const std::vector<double>& values, const std::vector<int64_t>& shape,
                                const Space& space) {
  std::vector<double> grid;
  grid.reserve(static_cast<size_t>(space.size()));
  const int64_t channels = space.channels();
  for (int64_t row = 0; row < space.rows(); ++row) {
    for (int64_t column = 0; column < space.columns(); ++column) {
      for (int64_t c = 0; c < channels; ++c) {
        const bool is_inside = row < shape[0] && column < shape[1];
        grid.push_back(is_inside ? values[static_cast<size_t>((row * shape[1] + column) * channels + c)]
                                 : static_cast<double>(space.values_at(c) - 1));
      }
    }
  }
  return grid;
}

std::vector<double> numbers_in(const RawValue& value, const Encoding& encoding) {
  const Space& space = encoding.space;
  if (!value.is_text()) return value.values;
  if (encoding.text == TextForm::digits) return digits_of(value.text, space);
  if (encoding.text == TextForm::list) return numbers_of(value.text);
  std::vector<double> numbers;
  for (const std::string& token : tokens_of(value))
    numbers.push_back(static_cast<double>(encoding.token_of.at(token)));
  return numbers;
}

// No value of the data may be taken for padding.
void check_below_padding(const std::vector<double>& values, const Space& space) {
  if (!space.padded) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t most = space.values_at(static_cast<int64_t>(i)) - 1;
    if (values[i] >= static_cast<double>(most))
      fail("{} at place {} is no value here; there are 0 to {}", values[i], i + 1, most - 1);
  }
}

}  // namespace

std::vector<std::string> tokens_of(const RawValue& value) {
  if (!value.tokens.empty()) return value.tokens;
  std::vector<std::string> tokens;
  for (std::string_view rest = value.text; !rest.empty();) {
    const size_t length = utf8_length(rest);
    if (length == 0) fail("the text is not UTF-8; save it as such");
    tokens.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return tokens;
}

Observation Encoding::encode(const RawValue& value) const {
  if (is_exact) return observation_of(space, value.values);
  if (space.kind == Kind::pixels && value.is_byte &&
      static_cast<int64_t>(value.values.size()) == space.size())
    return {value.values.begin(), value.values.end()};  // nothing to check or change
  std::vector<double> values = numbers_in(value, *this);
  if (is_scaled)
    for (double& v : values) v = std::round(v * 255);
  check_below_padding(values, space);
  const auto size = static_cast<size_t>(space.size());
  if (space.layout == Layout::number && values.size() < size) {
    values.insert(values.begin(), size - values.size(), 0);
  } else if (space.layout == Layout::sequence && space.padded && values.size() < size) {
    values.resize(size, static_cast<double>(space.values[0] - 1));
  } else if (space.layout == Layout::grid && space.padded) {
    values = padded_grid(values, value.shape, space);
  }
  return observation_of(space, values);
}

}  // namespace neo
