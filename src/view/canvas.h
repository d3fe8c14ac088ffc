#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"

namespace neo {

using Colour = std::array<uint8_t, 3>;

// A drawing surface: rectangles and small text, in pixels from the upper left corner.
class Surface {
 public:
  virtual ~Surface() = default;
  virtual void fill(int x, int y, int width, int height, Colour colour) = 0;
  // Characters are 4 `scale` wide and their capitals 5 high.
  virtual void text(int x, int y, std::string_view text, int scale, Colour colour) = 0;
  // A picture of RGB bytes, row by row, enlarged.
  virtual void image(int x, int y, std::span<const uint8_t> rgb, int width, int scale);
  static int text_width(std::string_view text, int scale) {
    return static_cast<int>(utf8_columns(text)) * 4 * scale;
  }
  // As much of a text as `width` pixels hold, with dots where it is cut.
  static std::string clipped(std::string_view text, int width, int scale);
};

// RGB bytes, row by row, as a PNG file's content.
std::string encode_png(std::span<const uint8_t> rgb, int width);

// An RGB picture.
class Canvas : public Surface {
 public:
  Canvas(int width, int height, Colour background);
  int width() const { return width_; }
  int height() const { return height_; }
  void fill(int x, int y, int width, int height, Colour colour) override;  // clipped at the border
  void text(int x, int y, std::string_view text, int scale, Colour colour) override;
  void write_png(const std::filesystem::path& path) const;  // atomically; throws Error
  const std::vector<uint8_t>& pixels() const { return pixels_; }

 private:
  void blend(int x, int y, Colour colour, int cover);  // cover: 0 nothing, 255 all

  int width_, height_;
  std::vector<uint8_t> pixels_;  // [height, width, 3]
};

// The same as an SVG document, where text stays text.
class SvgCanvas : public Surface {
 public:
  SvgCanvas(int width, int height, Colour background);
  void fill(int x, int y, int width, int height, Colour colour) override;
  void text(int x, int y, std::string_view text, int scale, Colour colour) override;
  void image(int x, int y, std::span<const uint8_t> rgb, int width, int scale) override;
  std::string svg() const;
  void write_svg(const std::filesystem::path& path) const;  // atomically; throws Error

 private:
  struct Rectangle {
    int x, y, width, height;
    Colour colour;
  };
  void flush();
  std::string elements_;
  int width_, height_;
  std::optional<Rectangle> last_;  // not yet written: its right neighbour may join it
};

}  // namespace neo
