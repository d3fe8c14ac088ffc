#pragma once

#include <string>

#include "worlds/world.h"

namespace neo {

// An observation as a user writes it: a number for Arithmetic ("124004", "42"); for GridWorld 100 cells 0..8, row
// by row, as plain digits or with any of spaces, commas, slashes, brackets and line breaks between them, so that
// text and JSON both do. "@FILE" takes the text from a file. Throws UsageError with what is wrong and what is
// expected.
Observation parse_observation(const World& world, const std::string& text);

}  // namespace neo
