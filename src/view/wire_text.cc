// Observations as they travel: View::text and View::from_text.

#include <charconv>
#include <cmath>

#include "core/base64.h"
#include "core/error.h"
#include "core/text.h"
#include "view/view.h"

namespace neo {
namespace {

constexpr size_t kLongestNumber = 24;  // characters

bool is_digits(const Space& space) {
  return space.is_categorical() && space.channels() == 1 && space.most_values() <= 10;
}

std::vector<double> digits_in(std::string_view text, const Space& space) {
  if (static_cast<int64_t>(text.size()) != space.size())
    fail("{} digits, but a {} has {}", text.size(), describe(space), space.size());
  std::vector<double> values;
  for (char c : text) {
    if (c < '0' || c > '9') fail("an observation here is written in digits, not '{}'", printable({&c, 1}));
    values.push_back(c - '0');
  }
  return values;
}

std::vector<double> numbers_in(std::string_view text, const Space& space) {
  if (text.size() > static_cast<size_t>(space.size()) * (kLongestNumber + 1))
    fail("a text of {} characters is too long for a {}", text.size(), describe(space));
  std::vector<double> values;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    float number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !std::isfinite(number) || (next != end && *next != ','))
      fail("number {} of an observation is not one; write {} numbers with commas between", values.size() + 1,
           space.size());
    values.push_back(number);
    if (next == end) return values;
    at = next + 1;
  }
}

}  // namespace

std::string View::text(ObservationView observation) const {
  if (space_.kind == Kind::pixels) return base64_encode(observation);
  const auto values = values_of(space_, observation);
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_digits(space_)) {
      text += static_cast<char>('0' + static_cast<int>(values[i]));
    } else {
      if (i > 0) text += ',';
      text += fmt::format("{}", static_cast<float>(values[i]));  // the shortest that reads back the same
    }
  }
  return text;
}

Observation View::from_text(std::string_view text) const {
  if (space_.kind == Kind::pixels) {
    const size_t length = (static_cast<size_t>(space_.bytes()) + 2) / 3 * 4;
    if (text.size() != length)
      fail("an image here is {} characters of base64 ({} bytes), not {}", length, space_.bytes(),
           text.size());
    Observation observation = base64_decode(text);
    if (static_cast<int64_t>(observation.size()) != space_.bytes())
      fail("an image here has {} bytes, not {}", space_.bytes(), observation.size());
    return observation;
  }
  return observation_of(space_, is_digits(space_) ? digits_in(text, space_) : numbers_in(text, space_));
}

}  // namespace neo
