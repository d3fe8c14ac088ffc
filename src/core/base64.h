#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neo {

std::string base64_encode(std::span<const uint8_t> bytes);
// Strict (RFC 4648 with padding, unread bits zero); throws Error.
std::vector<uint8_t> base64_decode(std::string_view text);

}  // namespace neo
