#include "view/canvas.h"

#include <png.h>

#include <algorithm>
#include <cstring>

#include "core/code_point.h"
#include "core/error.h"
#include "core/files.h"
#include "view/font.h"

namespace neo {
namespace {

constexpr double kFaceSize = 6.6;  // of the face, in units of the scale: its characters are 4 wide
constexpr int kBaseline = 5;       // below the upper edge of a text

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

void Canvas::blend(int x, int y, Colour colour, int cover) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  uint8_t* pixel = &pixels_[3 * (static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x))];
  for (size_t k = 0; k < 3; ++k)
    pixel[k] = static_cast<uint8_t>((pixel[k] * (255 - cover) + colour[k] * cover + 127) / 255);
}

void Canvas::text(int x, int y, std::string_view text, int scale, Colour colour) {
  for (; !text.empty(); x += 4 * scale) {
    const size_t bytes = utf8_length(text);
    const char32_t character = bytes == 0 ? U'?' : code_point(text.substr(0, bytes));
    text.remove_prefix(std::max<size_t>(1, bytes));
    const Glyph& glyph = glyph_of(character, kFaceSize * scale);
    for (size_t i = 0; i < glyph.cover.size(); ++i) {
      const int row = static_cast<int>(i) / glyph.width, column = static_cast<int>(i) % glyph.width;
      blend(x + glyph.left + column, y + kBaseline * scale - glyph.top + row, colour, glyph.cover[i]);
    }
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
