#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "view/layouts.h"
#include "view/share.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr double kMostExact = 9007199254740992.0;  // 2^53: beyond it, a double may be another whole number

int digit_scale(const Space& space) { return space.size() <= 12 ? 4 : space.size() <= 24 ? 3 : 2; }

// Large enough that products of two numbers below 2^62 are exact.
using Whole = __int128;

std::optional<Whole> whole_of(const Space& space, const Observation& observation) {
  constexpr Whole kMost = Whole{1} << 62;
  Whole number = 0;
  for (uint8_t digit : observation) {
    number = number * space.values[0] + digit;
    if (number >= kMost) return std::nullopt;
  }
  return number;
}

std::string affine_name(Whole factor, Whole summand, Whole divisor) {
  std::string name;
  if (divisor != 1) name = fmt::format("divided by {}", divisor);
  if (factor != 1) name = fmt::format("times {}", factor);
  if (summand != 0)
    name += fmt::format("{}{} {}", name.empty() ? "" : " ", summand > 0 ? "plus" : "minus",
                        summand > 0 ? summand : -summand);
  return name;
}

// after = factor before + summand, or before = divisor after, for whole numbers.
std::string describe_whole(const std::vector<std::pair<Whole, Whole>>& numbers, double share) {
  const auto holds_on = [&](const auto& holds) {
    return share_of(numbers, [&](const auto& n) { return holds(n.first, n.second); });
  };
  for (size_t i = 1; i < numbers.size(); ++i) {  // two changes tell the whole rule
    const auto [x0, y0] = numbers[i - 1];
    const auto [x1, y1] = numbers[i];
    if (x0 == x1) continue;
    const Whole dx = x1 - x0, dy = y1 - y0;
    if (dy % dx == 0) {
      const Whole factor = dy / dx, summand = y0 - factor * x0;
      if (holds_on([&](Whole x, Whole y) { return y == factor * x + summand; }) >= share)
        return factor == 0 ? fmt::format("set to {}", summand) : affine_name(factor, summand, 1);
    } else if (dy != 0 && dx % dy == 0) {
      const Whole divisor = dx / dy;
      if (holds_on([&](Whole x, Whole y) { return x == divisor * y; }) >= share)
        return affine_name(1, 0, divisor);
    }
  }
  return "";
}

}  // namespace

std::string NumberView::expectation() const {
  const int64_t base = space().values[0];
  const std::string text = fmt::format("a number of up to {} digits", space().size());
  if (base == 10) return text;
  return fmt::format("{} in base {} ({} to {})", text, base, value_character(0), value_character(base - 1));
}

Observation NumberView::parse_text(const std::string& text) const {
  const std::string number = lowercase(trimmed(text));
  if (number.empty()) refuse("a number is missing");
  const auto is_digit = [&](char c) {
    const auto value = character_value(c);
    return value && *value < space().values[0];
  };
  const bool negative = number.front() == '-' && number.size() > 1;
  if (negative && std::all_of(number.begin() + 1, number.end(), is_digit))
    refuse(fmt::format("{} is negative, numbers here are 0 or more", printable(number, 40)));
  if (!std::all_of(number.begin(), number.end(), is_digit))
    refuse(fmt::format("'{}' is not a number", printable(trimmed(text), 40)));
  const auto first = std::min(number.find_first_not_of('0'), number.size() - 1);
  const std::string significant = number.substr(first);
  if (static_cast<int64_t>(significant.size()) > space().size())
    refuse(fmt::format("{} has {} digits", printable(significant, 40), significant.size()));
  Observation observation(static_cast<size_t>(space().size()), 0);
  std::transform(significant.rbegin(), significant.rend(), observation.rbegin(),
                 [](char c) { return static_cast<uint8_t>(*character_value(c)); });
  return observation;
}

// A list holds the digits; a single number is written in decimal, as it would be in a text.
Observation NumberView::from_array(const Array& array, std::string*) const {
  if (!array.shape.empty()) return conform(array);
  const double value = array.values[0];
  if (value != std::floor(value)) refuse(fmt::format("{} is not a whole number", value));
  if (!(std::abs(value) <= kMostExact))
    refuse(fmt::format("{} is too large to be exact, write it as text", value));
  return parse_text(std::to_string(static_cast<int64_t>(value)));
}

Observation NumberView::from_json(const nlohmann::json& json, std::string* note) const {
  return json.is_number_integer() ? parse_text(json.dump()) : View::from_json(json, note);
}

std::string NumberView::digits(ObservationView observation) const {
  std::string text;
  for (uint8_t digit : observation) text += value_character(digit);
  const size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? "0" : text.substr(first);
}

nlohmann::json NumberView::json(ObservationView observation) const { return digits(observation); }

std::vector<std::string> NumberView::lines(ObservationView observation, bool) const {
  return {fmt::format("{:>{}}", digits(observation), columns())};
}

Extent NumberView::extent() const {
  const int scale = digit_scale(space());
  return {static_cast<int>(space().size()) * 4 * scale, 5 * scale};
}

void NumberView::draw(Surface& surface, int x, int y, ObservationView observation) const {
  const std::string number = digits(observation);
  const int scale = digit_scale(space());
  surface.text(x + extent().width - Surface::text_width(number, scale), y, number, scale, kInk);
}

std::string NumberView::describe(const std::vector<Change>& changes, double share) const {
  if (changes.empty() || share_of(changes, is_unchanged) >= share) return "";
  std::vector<std::pair<Whole, Whole>> numbers;
  for (const auto& [before, after] : changes) {
    const auto x = whole_of(space(), before), y = whole_of(space(), after);
    if (!x || !y) return "";
    numbers.emplace_back(*x, *y);
  }
  return describe_whole(numbers, share);
}

}  // namespace neo
