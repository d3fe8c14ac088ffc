#include "core/base64.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace neo {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> make_base64_values() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < kBase64.size(); ++i)
    values[static_cast<uint8_t>(kBase64[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kBase64Values = make_base64_values();

}  // namespace

std::string base64_encode(std::span<const uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = static_cast<uint32_t>(bytes[i]) << 16;
    if (count > 1) word |= static_cast<uint32_t>(bytes[i + 1]) << 8;
    if (count > 2) word |= bytes[i + 2];
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kBase64[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::vector<uint8_t> base64_decode(std::string_view text) {
  const auto broken = [] { fail("the text is not base64"); };
  if (text.size() % 4 != 0) broken();
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    const size_t missing = i + 4 == text.size() ? padding : 0;
    uint32_t word = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int value = k >= 4 - missing ? 0 : kBase64Values[static_cast<uint8_t>(text[i + k])];
      if (value < 0) broken();
      word = word << 6 | static_cast<uint32_t>(value);
    }
    for (size_t k = 0; k < 3 - missing; ++k) bytes.push_back(static_cast<uint8_t>(word >> (16 - 8 * k)));
    if (missing > 0 && (word & ((1U << (8 * missing)) - 1)) != 0) broken();
  }
  return bytes;
}

}  // namespace neo
