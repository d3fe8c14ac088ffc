#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace neo {

using Colour = std::array<uint8_t, 3>;

// An RGB picture with the few drawing operations that contact sheets and rollout strips need.
class Canvas {
 public:
  Canvas(int width, int height, Colour background);
  int width() const { return width_; }
  int height() const { return height_; }
  void fill(int x, int y, int width, int height, Colour colour);  // clipped at the border
  // Capital letters, digits and a little punctuation in a 3x5 face, `scale` pixels per dot. Returns the
  // width.
  int text(int x, int y, std::string_view text, int scale, Colour colour);
  static int text_width(std::string_view text, int scale) {
    return static_cast<int>(text.size()) * 4 * scale;
  }
  void write_png(const std::filesystem::path& path) const;  // atomically; throws Error
  const std::vector<uint8_t>& pixels() const { return pixels_; }

 private:
  int width_, height_;
  std::vector<uint8_t> pixels_;  // [height, width, 3]
};

}  // namespace neo
