#pragma once

#include <string_view>

namespace neo {

// The number of a well-formed UTF-8 character.
char32_t code_point(std::string_view character);

}  // namespace neo
