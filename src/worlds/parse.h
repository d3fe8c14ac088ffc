#pragma once

#include <string>

#include "worlds/world.h"

namespace neo {

// An observation as a user gives it: a number for Arithmetic ("124004", "42"); for GridWorld 100 cells 0..8,
// row by row, as plain digits (or dots for 0) or with any of spaces, commas, slashes, brackets and line
// breaks between them, so that text and JSON both do; for Imaging the name of a PNG file. "@FILE" takes the
// text from a file. Throws an Error with what is wrong and what is expected. What had to be converted is told
// in `note`, one line, where given.
Observation parse_observation(const World& world, const std::string& text, std::string* note = nullptr);

}  // namespace neo
