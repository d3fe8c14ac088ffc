#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neo {

// A character as a picture: how much of each pixel it covers, and where it stands relative to the pen on the baseline.
struct Glyph {
  int left = 0, top = 0, width = 0;
  std::vector<uint8_t> cover;  // rows of `width`, 255: all of the pixel
};

// Of the face of all drawn text, whose characters are equally wide. `size` in pixels. The reference is valid until the
// thread ends.
const Glyph& glyph_of(char32_t character, double size);

}  // namespace neo
