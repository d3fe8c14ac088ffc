#include "data/read_png.h"

#include <png.h>

#include "core/error.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr png_uint_32 kMostSide = 128;

// libpng's handle on a file being read, freed on every way out.
struct OpenPng {
  png_image header{};

  explicit OpenPng(const fs::path& path) {
    header.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&header, path.c_str()))
      fail("cannot read '{}': {}; an image is given as a whole PNG file of up to {}x{} pixels", path.string(),
           header.message, kMostSide, kMostSide);
  }
  ~OpenPng() { png_image_free(&header); }
  OpenPng(const OpenPng&) = delete;
  OpenPng& operator=(const OpenPng&) = delete;
};

void check_size(const png_image& header, const fs::path& path) {
  if (header.width <= kMostSide && header.height <= kMostSide) return;
  fail("'{}' is {}x{} pixels, images go up to {}x{}; crop or resize it first", path.string(), header.width,
       header.height, kMostSide, kMostSide);
}

// [height, width, 4]. Always with alpha: only the pixels tell whether it matters.
std::vector<uint8_t> decode_rgba(OpenPng& png, const fs::path& path) {
  png.header.format = PNG_FORMAT_RGBA;
  png.header.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // else 16-bit samples are taken to be linear light
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(png.header));
  if (!png_image_finish_read(&png.header, nullptr, pixels.data(), 0, nullptr))
    fail("'{}' is cut short or damaged ({}); save or download it again", path.string(), png.header.message);
  return pixels;
}

int64_t own_channels(png_uint_32 format) {
  if (format & PNG_FORMAT_FLAG_ALPHA) return 4;
  return format & PNG_FORMAT_FLAG_COLOR ? 3 : 1;
}

// The first `channels` of each pixel.
std::vector<uint8_t> keep_channels(const std::vector<uint8_t>& rgba, int64_t channels, const fs::path& path) {
  if (channels == 4) return rgba;
  std::vector<uint8_t> kept;
  kept.reserve(rgba.size() / 4 * static_cast<size_t>(channels));
  for (size_t i = 0; i < rgba.size(); i += 4) {
    if (rgba[i + 3] != 255)
      fail("'{}' has transparent pixels; flatten it onto a background first", path.string());
    if (channels == 1 && (rgba[i] != rgba[i + 1] || rgba[i] != rgba[i + 2]))
      fail("'{}' has coloured pixels where grey ones are needed; convert it to greyscale first",
           path.string());
    kept.insert(kept.end(), rgba.begin() + static_cast<std::ptrdiff_t>(i),
                rgba.begin() + static_cast<std::ptrdiff_t>(i) + channels);
  }
  return kept;
}

// `format`: of the file itself.
std::string conversions(png_uint_32 format, int64_t channels) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (channels == 1 && format & PNG_FORMAT_FLAG_COLOR)
    add("grey colours made greyscale");
  else if (format & PNG_FORMAT_FLAG_COLORMAP)
    add(channels == 4 ? "palette made RGBA" : "palette made RGB");
  else if (channels > 1 && !(format & PNG_FORMAT_FLAG_COLOR))
    add(channels == 4 ? "greyscale made RGBA" : "greyscale made RGB");
  if (format & PNG_FORMAT_FLAG_LINEAR) add("16 bits reduced to 8");
  if (channels != 4 && format & PNG_FORMAT_FLAG_ALPHA) add("opaque alpha channel dropped");
  if (channels == 4 && !(format & PNG_FORMAT_FLAG_ALPHA)) add("opaque alpha channel added");
  return text;
}

}  // namespace

Picture read_png(const fs::path& path, std::optional<int64_t> channels) {
  OpenPng png(path);
  check_size(png.header, path);
  const png_uint_32 format = png.header.format;
  const int64_t wanted = channels.value_or(own_channels(format));
  return {.width = png.header.width,
          .height = png.header.height,
          .channels = wanted,
          .pixels = keep_channels(decode_rgba(png, path), wanted, path),
          .converted = conversions(format, wanted)};
}

}  // namespace neo
