#include "worlds/episode_digest.h"

#include <cstring>

#include "core/error.h"

namespace neo {
namespace {

template <typename T>
void append_widened(std::vector<uint8_t>& out, ObservationView values) {
  const size_t start = out.size();
  out.resize(start + values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const T wide = values[i];
    std::memcpy(out.data() + start + i * sizeof(T), &wide, sizeof(T));
  }
}

std::string quoted_list(const World& world, const Program& program) {
  std::string text = "[";
  for (int primitive : program) {
    if (text.size() > 1) text += ", ";
    text += '\'' + world.primitives().at(static_cast<size_t>(primitive)) + '\'';
  }
  return text + "]";
}

}  // namespace

std::string release_program_text(const World& world, const Program& program) {
  if (&world == &arithmetic()) {
    std::string text;
    for (int primitive : program) {
      if (!text.empty()) text += ',';
      text += world.primitives().at(static_cast<size_t>(primitive));
    }
    return text;
  }
  const std::string list = quoted_list(world, program);
  return &world == &gridworld() ? "[" + list + ", []]" : "[" + list + "]";
}

Program parse_release_program(const World& world, std::string_view text) {
  // Every layout is a list of primitive names among punctuation: turn the punctuation into spaces.
  std::string words(text);
  for (char& c : words) {
    if (c == '[' || c == ']' || c == '\'' || c == ',' || c == '"') c = ' ';
  }
  return world.parse_program(words);
}

int64_t digits_to_number(ObservationView digits) {
  int64_t number = 0;
  for (uint8_t digit : digits) number = number * 10 + digit;
  return number;
}

Observation number_to_digits(int64_t number) {
  if (number < 0 || number > 999999) fail("{} is outside 0..999999: numbers have at most six digits", number);
  Observation digits(6);
  for (size_t i = digits.size(); i-- > 0; number /= 10) digits[i] = static_cast<uint8_t>(number % 10);
  return digits;
}

void EpisodeDigest::add(const Episode& episode) {
  scratch_.clear();
  if (&world_ == &gridworld()) {
    for (const auto* grid : {&episode.support_x, &episode.support_y, &episode.query_x}) {
      append_widened<int32_t>(scratch_, *grid);
    }
    append_widened<int64_t>(scratch_, episode.query_y);
    hash_.update(scratch_);
    hash_.update(release_program_text(world_, episode.program));
    hash_.update("\n");
    return;
  }
  for (const auto* o : {&episode.support_x, &episode.support_y, &episode.query_x, &episode.query_y}) {
    if (&world_ == &arithmetic()) {
      hash_.update_le(digits_to_number(*o));
    } else {
      hash_.update(*o);
    }
  }
}

}  // namespace neo
