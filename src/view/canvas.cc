#include "view/canvas.h"

#include <png.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "core/error.h"
#include "core/files.h"

namespace neo {
namespace {

// Five rows of three dots, top row first, each row an octal digit (4 = left dot). A small z is told from a 2
// more easily than a large one: programs are full of both.
const std::map<char, std::array<uint8_t, 5>>& glyphs() {
  static const std::map<char, std::array<uint8_t, 5>> table{
      {'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}},  {'2', {7, 1, 7, 4, 7}}, {'3', {7, 1, 3, 1, 7}},
      {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}},  {'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 2, 2, 2}},
      {'8', {7, 5, 7, 5, 7}}, {'9', {7, 5, 7, 1, 7}},  {'A', {2, 5, 7, 5, 5}}, {'B', {6, 5, 6, 5, 6}},
      {'C', {3, 4, 4, 4, 3}}, {'D', {6, 5, 5, 5, 6}},  {'E', {7, 4, 6, 4, 7}}, {'F', {7, 4, 6, 4, 4}},
      {'G', {3, 4, 5, 5, 3}}, {'H', {5, 5, 7, 5, 5}},  {'I', {7, 2, 2, 2, 7}}, {'J', {1, 1, 1, 5, 2}},
      {'K', {5, 5, 6, 5, 5}}, {'L', {4, 4, 4, 4, 7}},  {'M', {5, 7, 7, 5, 5}}, {'N', {6, 5, 5, 5, 5}},
      {'O', {2, 5, 5, 5, 2}}, {'P', {6, 5, 6, 4, 4}},  {'Q', {2, 5, 5, 6, 3}}, {'R', {6, 5, 6, 5, 5}},
      {'S', {3, 4, 2, 1, 6}}, {'T', {7, 2, 2, 2, 2}},  {'U', {5, 5, 5, 5, 7}}, {'V', {5, 5, 5, 5, 2}},
      {'W', {5, 5, 7, 7, 5}}, {'X', {5, 5, 2, 5, 5}},  {'Y', {5, 5, 2, 2, 2}}, {'Z', {7, 1, 2, 4, 7}},
      {'_', {0, 0, 0, 0, 7}}, {'-', {0, 0, 7, 0, 0}},  {'+', {0, 2, 7, 2, 0}}, {'*', {0, 5, 2, 5, 0}},
      {'>', {4, 2, 1, 2, 4}}, {'.', {0, 0, 0, 0, 2}},  {':', {0, 2, 0, 2, 0}}, {'=', {0, 7, 0, 7, 0}},
      {'?', {7, 1, 2, 0, 2}}, {'(', {1, 2, 2, 2, 1}},  {')', {4, 2, 2, 2, 4}}, {'/', {1, 1, 2, 4, 4}},
      {'^', {2, 5, 0, 0, 0}}, {',', {0, 0, 0, 2, 4}},  {'%', {5, 1, 2, 4, 5}}, {'<', {1, 2, 4, 2, 1}},
      {'!', {2, 2, 2, 0, 2}}, {'\'', {2, 2, 0, 0, 0}}, {';', {0, 2, 0, 2, 4}}, {'|', {2, 2, 2, 2, 2}},
      {'[', {6, 4, 4, 4, 6}}, {']', {3, 1, 1, 1, 3}},  {'z', {0, 7, 2, 4, 7}}};
  return table;
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : width_(width), height_(height), pixels_(static_cast<size_t>(width) * static_cast<size_t>(height) * 3) {
  fill(0, 0, width, height, background);
}

void Canvas::fill(int x, int y, int width, int height, Colour colour) {
  for (int row = std::max(y, 0); row < std::min(y + height, height_); ++row) {
    for (int column = std::max(x, 0); column < std::min(x + width, width_); ++column) {
      std::memcpy(&pixels_[3 * (static_cast<size_t>(row) * static_cast<size_t>(width_) +
                                static_cast<size_t>(column))],
                  colour.data(), 3);
    }
  }
}

void Surface::image(int x, int y, std::span<const uint8_t> rgb, int width, int scale) {
  for (size_t i = 0; i < rgb.size() / 3; ++i) {
    const auto row = static_cast<int>(i) / width, column = static_cast<int>(i) % width;
    fill(x + column * scale, y + row * scale, scale, scale, {rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]});
  }
}

std::string Surface::clipped(std::string_view text, int width, int scale) {
  if (text_width(text, scale) <= width) return std::string(text);
  const int characters = std::max(0, width / (4 * scale));
  return characters < 3 ? utf8_prefix(text, static_cast<size_t>(characters))
                        : utf8_prefix(text, static_cast<size_t>(characters) - 2) + "..";
}

void Canvas::text(int x, int y, std::string_view text, int scale, Colour colour) {
  while (!text.empty()) {
    const size_t bytes = std::max<size_t>(1, utf8_length(text));
    auto glyph = glyphs().find(text[0]);
    if (glyph == glyphs().end())
      glyph = glyphs().find(static_cast<char>(std::toupper(static_cast<unsigned char>(text[0]))));
    if (bytes == 1 && glyph != glyphs().end()) {
      for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < 3; ++column) {
          if (glyph->second[static_cast<size_t>(row)] & (4 >> column)) {
            fill(x + column * scale, y + row * scale, scale, scale, colour);
          }
        }
      }
    }
    x += 4 * scale;
    text.remove_prefix(bytes);
  }
}

std::string encode_png(std::span<const uint8_t> rgb, int width) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(rgb.size() / 3 / static_cast<size_t>(width));
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  if (!png_image_write_to_memory(&image, file.data(), &size, 0, rgb.data(), 0, nullptr))
    fail("cannot make a PNG: {}", image.message);
  file.resize(size);
  return file;
}

void Canvas::write_png(const std::filesystem::path& path) const {
  write_output(path, encode_png(pixels_, width_));
}

}  // namespace neo
