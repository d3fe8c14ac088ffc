#include "serve/wire.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace neo {
namespace {
using nlohmann::json;

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kDeepest = 8;

bool is_image(const World& world) { return world.values() > 10; }

constexpr std::array<int8_t, 256> make_values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kValues = make_values();

Observation digits_from_text(const World& world, std::string_view text) {
  if (text.size() != static_cast<size_t>(world.size()))
    fail("an observation of {} has {} digits, not {}", world.name(), world.size(), text.size());
  Observation observation;
  for (char c : text) {
    if (c < '0' || c >= '0' + world.values())
      fail("an observation of {} has digits 0 to {} only", world.name(), world.values() - 1);
    observation.push_back(static_cast<uint8_t>(c - '0'));
  }
  return observation;
}

}  // namespace

std::string base64_encode(ObservationView bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = static_cast<uint32_t>(bytes[i]) << 16;
    if (count > 1) word |= static_cast<uint32_t>(bytes[i + 1]) << 8;
    if (count > 2) word |= bytes[i + 2];
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kAlphabet[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

Observation base64_decode(std::string_view text) {
  const auto broken = [] { fail("the text is not base64"); };
  if (text.size() % 4 != 0) broken();
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  Observation bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const size_t missing = i + 4 == text.size() ? padding : 0;
    uint32_t word = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = k >= 4 - missing ? 0 : kValues[static_cast<uint8_t>(text[i + k])];
      if (value < 0) broken();
      word = word << 6 | static_cast<uint32_t>(value);
    }
    for (size_t k = 0; k < 3 - missing; ++k) bytes.push_back(static_cast<uint8_t>(word >> (16 - 8 * k)));
    if (missing > 0 && (word & ((1U << (8 * missing)) - 1)) != 0) broken();  // bits that nobody reads
  }
  return bytes;
}

std::string observation_text(const World& world, ObservationView observation) {
  if (is_image(world)) return base64_encode(observation);
  std::string text;
  for (uint8_t value : observation) text += static_cast<char>('0' + value);
  return text;
}

Observation observation_from_text(const World& world, std::string_view text) {
  if (!is_image(world)) return digits_from_text(world, text);
  Observation observation = base64_decode(text);
  if (observation.size() != static_cast<size_t>(world.size()))
    fail("an image has {} bytes (32x32 RGB), not {}", world.size(), observation.size());
  return observation;
}

json parse_json(std::string_view text) {
  try {
    return json::parse(text, [](int depth, json::parse_event_t, const json&) {
      if (depth > kDeepest) fail("the JSON is nested deeper than {} levels", kDeepest);
      return true;
    });
  } catch (const json::exception&) {
    fail("the body is not JSON");
  }
}

}  // namespace neo
