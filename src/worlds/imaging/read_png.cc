#include "worlds/imaging/read_png.h"

#include <png.h>

#include "core/error.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr png_uint_32 kSide = 32;

// libpng's handle on a file being read, freed on every way out.
struct OpenPng {
  png_image header{};

  explicit OpenPng(const fs::path& path) {
    header.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&header, path.c_str()))
      fail("cannot read '{}': {}; an image is given as a whole PNG file of {}x{} pixels", path.string(),
           header.message, kSide, kSide);
  }
  ~OpenPng() { png_image_free(&header); }
  OpenPng(const OpenPng&) = delete;
  OpenPng& operator=(const OpenPng&) = delete;
};

void check_size(const png_image& header, const fs::path& path) {
  if (header.width == kSide && header.height == kSide) return;
  fail("'{}' is {}x{} pixels, images here are {}x{}; crop or resize it first", path.string(), header.width,
       header.height, kSide, kSide);
}

// [32, 32, 4]. Always with alpha: only the pixels tell whether it matters.
std::vector<uint8_t> decode_rgba(OpenPng& png, const fs::path& path) {
  png.header.format = PNG_FORMAT_RGBA;
  png.header.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // else 16-bit samples are taken to be linear light
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(png.header));
  if (!png_image_finish_read(&png.header, nullptr, pixels.data(), 0, nullptr))
    fail("'{}' is cut short or damaged ({}); save or download it again", path.string(), png.header.message);
  return pixels;
}

Observation without_alpha(const std::vector<uint8_t>& rgba, const fs::path& path) {
  Observation rgb;
  rgb.reserve(rgba.size() / 4 * 3);
  for (size_t i = 0; i < rgba.size(); i += 4) {
    if (rgba[i + 3] != 255)
      fail("'{}' has transparent pixels; flatten it onto a background first", path.string());
    rgb.insert(rgb.end(), {rgba[i], rgba[i + 1], rgba[i + 2]});
  }
  return rgb;
}

// `format`: of the file itself.
std::string conversions(png_uint_32 format) {
  std::string text;
  const auto add = [&](const char* what) { text += (text.empty() ? "" : ", ") + std::string(what); };
  if (format & PNG_FORMAT_FLAG_COLORMAP)
    add("palette made RGB");
  else if (!(format & PNG_FORMAT_FLAG_COLOR))
    add("greyscale made RGB");
  if (format & PNG_FORMAT_FLAG_LINEAR) add("16 bits reduced to 8");
  if (format & PNG_FORMAT_FLAG_ALPHA) add("opaque alpha channel dropped");
  return text;
}

}  // namespace

PngReading read_png(const fs::path& path) {
  OpenPng png(path);
  check_size(png.header, path);
  const png_uint_32 format = png.header.format;
  return {without_alpha(decode_rgba(png, path), path), conversions(format)};
}

}  // namespace neo
