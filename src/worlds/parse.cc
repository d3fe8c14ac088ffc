#include "worlds/parse.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"
#include "worlds/imaging/read_png.h"

namespace neo {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// At most this much of what the user wrote is repeated in a message.
std::string shortened(const std::string& text) {
  constexpr size_t kMost = 40;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

Observation parse_number(const std::string& text, int64_t digits) {
  if (text.empty()) fail_usage("a number is missing; write one of at most {} digits", digits);
  if (text.front() == '-' && text.size() > 1 && std::all_of(text.begin() + 1, text.end(), is_digit))
    fail_usage("{} is negative; numbers here are 0 or more, of at most {} digits", shortened(text), digits);
  if (!std::all_of(text.begin(), text.end(), is_digit))
    fail_usage("'{}' is not a number; write one of at most {} digits", shortened(text), digits);
  const auto first = std::min(text.find_first_not_of('0'), text.size() - 1);
  const std::string number = text.substr(first);
  if (static_cast<int64_t>(number.size()) > digits)
    fail_usage("{} has {} digits; numbers here have at most {}", shortened(number), number.size(), digits);
  Observation observation(static_cast<size_t>(digits), 0);
  std::transform(number.rbegin(), number.rend(), observation.rbegin(),
                 [](char c) { return static_cast<uint8_t>(c - '0'); });
  return observation;
}

Observation parse_grid(const std::string& text, int64_t cells, int values) {
  Observation observation;
  for (char c : text) {
    if (std::string_view(" \t\r\n,/[]|").find(c) != std::string_view::npos) continue;
    if (c == '.') c = '0';  // as grids are drawn on terminals
    if (!is_digit(c) || c - '0' >= values)
      fail_usage("'{}' is no cell of a grid; cells are 0 (empty) to {}", c, values - 1);
    observation.push_back(static_cast<uint8_t>(c - '0'));
  }
  if (static_cast<int64_t>(observation.size()) != cells)
    fail_usage("a grid of {} cells; write {}, row by row", observation.size(), cells);
  return observation;
}

Observation parse_image(const std::string& file, std::string* note) {
  if (file.empty()) fail_usage("an image is missing; name a PNG file");
  PngReading reading = read_png(file);
  if (note && !reading.converted.empty()) *note = file + ": " + reading.converted;
  return std::move(reading.image);
}

}  // namespace

Observation parse_observation(const World& world, const std::string& text, std::string* note) {
  const bool at = text.starts_with('@');
  if (world.shape().size() == 3) return parse_image(at ? text.substr(1) : text, note);
  if (at) return parse_observation(world, read_file(text.substr(1)), note);
  if (world.shape().size() == 1) return parse_number(std::string(trimmed(text)), world.size());
  return parse_grid(text, world.size(), world.values());
}

}  // namespace neo
