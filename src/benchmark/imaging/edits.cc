#include "benchmark/imaging/edits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/error.h"

namespace neo {
namespace {

constexpr uint8_t kMaskGrey = 128;
// torchvision turns the hue by the whole part of 0.3 * 255, in bytes that wrap around.
constexpr uint8_t kHueShift = 76;

// Pillow blends with black in floating point and truncates; with these two factors integers say the same.
uint8_t darker(uint8_t value) { return value / 2; }
uint8_t brighter(uint8_t value) { return static_cast<uint8_t>(std::min(value * 3 / 2, 255)); }

// The three channels' order by value, with Pillow's preference for red, then green, among equal maxima.
enum Sector { kRedOverBlue, kRedOverGreen, kGreenOverBlue, kGreenOverRed, kBlueOverRed, kBlueOverGreen };

// Pillow's 8-bit HSV mixes float and double arithmetic, so its rounding is copied operation by operation. All
// that depends on two bytes is tabulated here; what is left per pixel is two products.
struct HsvTables {
  std::array<std::array<std::array<uint8_t, 256>, 256>, 6> hue;  // [sector][max-min][max-middle]
  std::array<std::array<uint8_t, 256>, 256> saturation;          // [max][max-min]
  std::array<std::array<uint8_t, 256>, 256> low;                 // [saturation][value]: the smallest channel
  std::array<float, 256> scaled_saturation;                      // [saturation] in [0, 1]
  std::array<uint8_t, 256> sector;                               // [hue] 0..5, sixths of the wheel
  std::array<float, 256> fraction;                               // [hue] position inside its sixth

  HsvTables();
};

uint8_t hue_byte(float sixths) {
  const auto turn = static_cast<float>(std::fmod(sixths / 6.0 + 1.0, 1.0));
  return static_cast<uint8_t>(std::clamp(static_cast<int>(turn * 255.0), 0, 255));
}

// Of values >= 0. std::round would be a library call per pixel; a test goes through all colours.
uint8_t nearest_byte(double value) {
  return static_cast<uint8_t>(std::min(static_cast<int>(value + 0.5), 255));  // NOLINT(bugprone-*)
}

HsvTables::HsvTables() : hue{}, saturation{}, low{} {
  for (int chroma = 1; chroma < 256; ++chroma) {
    for (int gap = 0; gap <= chroma; ++gap) {
      const float a = static_cast<float>(gap) / static_cast<float>(chroma);
      const auto set = [&](Sector s, double sixths) {
        hue[s][chroma][gap] = hue_byte(static_cast<float>(sixths));
      };
      set(kRedOverBlue, 1.0F - a);
      set(kRedOverGreen, a - 1.0F);
      set(kGreenOverBlue, 2.0 + a - 1.0);
      set(kGreenOverRed, 2.0 + 1.0 - a);
      set(kBlueOverRed, 4.0 + a - 1.0);
      set(kBlueOverGreen, 4.0 + 1.0 - a);
    }
    for (int max = chroma; max < 256; ++max) {
      const float ratio = static_cast<float>(chroma) / static_cast<float>(max);
      saturation[max][chroma] = static_cast<uint8_t>(ratio * 255.0);
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    const double sixths = byte * 6.0 / 255.0;
    const auto whole = static_cast<int>(sixths);
    sector[byte] = static_cast<uint8_t>(whole % 6);
    fraction[byte] = static_cast<float>(sixths - whole);
    scaled_saturation[byte] = static_cast<float>(byte / 255.0);
    for (int value = 0; value < 256; ++value) {
      low[byte][value] = nearest_byte(value * (1.0 - scaled_saturation[byte]));
    }
  }
}

const HsvTables& hsv_tables() {
  static const auto tables = std::make_unique<const HsvTables>();
  return *tables;
}

struct Colour {
  uint8_t red, green, blue;
};

uint8_t hue_of(const HsvTables& tables, Colour c, uint8_t max, uint8_t min) {
  const int middle = c.red + c.green + c.blue - max - min;
  Sector sector;
  if (c.red == max) {
    sector = c.blue == min ? kRedOverBlue : kRedOverGreen;
  } else if (c.green == max) {
    sector = c.blue == min ? kGreenOverBlue : kGreenOverRed;
  } else {
    sector = c.red == min ? kBlueOverRed : kBlueOverGreen;
  }
  return tables.hue[sector][max - min][max - middle];
}

Colour from_hsv(const HsvTables& tables, uint8_t hue, uint8_t saturation, uint8_t value) {
  const float s = tables.scaled_saturation[saturation];
  const float f = tables.fraction[hue];
  const uint8_t p = tables.low[saturation][value];
  const int sector = tables.sector[hue];
  if (sector % 2 == 0) {
    const uint8_t rising = nearest_byte(value * (1.0 - s * (1.0 - f)));
    return sector == 0   ? Colour{value, rising, p}
           : sector == 2 ? Colour{p, value, rising}
                         : Colour{rising, p, value};
  }
  const float product = s * f;  // rounded to float before the subtraction, unlike the one above
  const uint8_t falling = nearest_byte(value * (1.0 - product));
  return sector == 1   ? Colour{falling, value, p}
         : sector == 3 ? Colour{p, falling, value}
                       : Colour{value, p, falling};
}

void turn_hue(uint8_t shift, std::span<const uint8_t> in, std::span<uint8_t> out) {
  const HsvTables& tables = hsv_tables();
  for (size_t i = 0; i < in.size(); i += 3) {
    Colour c{in[i], in[i + 1], in[i + 2]};
    const uint8_t max = std::max({c.red, c.green, c.blue});
    const uint8_t min = std::min({c.red, c.green, c.blue});
    const uint8_t saturation = tables.saturation[max][max - min];
    // A saturation that truncates to zero makes Pillow drop what colour there was.
    if (saturation == 0) {
      c = {max, max, max};
    } else {
      c = from_hsv(tables, static_cast<uint8_t>(hue_of(tables, c, max, min) + shift), saturation, max);
    }
    out[i] = c.red;
    out[i + 1] = c.green;
    out[i + 2] = c.blue;
  }
}

// Copies pixel source(row, column) to every (row, column).
template <typename Source>
void move_pixels(std::span<const uint8_t> in, std::span<uint8_t> out, int height, int width, Source source) {
  uint8_t* to = out.data();
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column, to += 3) {
      const uint8_t* from = in.data() + 3 * source(row, column);
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
}

void mask_corner(std::span<const uint8_t> in, std::span<uint8_t> out, int height, int width) {
  std::copy(in.begin(), in.end(), out.begin());
  const int side = std::min(height, width) / 2;
  for (int row = 0; row < side; ++row) std::fill_n(out.begin() + row * width * 3, side * 3, kMaskGrey);
}

}  // namespace

const std::vector<std::string>& edit_names() {
  static const std::vector<std::string> names{"brightness_minus", "brightness_plus", "horizontal_flip",
                                              "hue_minus",        "hue_plus",        "masking",
                                              "rotation",         "vertical_flip"};
  return names;
}

void apply_edit(Edit edit, std::span<const uint8_t> in, std::span<uint8_t> out, int height, int width) {
  NEO_CHECK_EQ(in.size(), static_cast<size_t>(height) * width * 3);
  NEO_CHECK_EQ(out.size(), in.size());
  switch (edit) {
    case Edit::kBrightnessMinus:
      std::transform(in.begin(), in.end(), out.begin(), darker);
      return;
    case Edit::kBrightnessPlus:
      std::transform(in.begin(), in.end(), out.begin(), brighter);
      return;
    case Edit::kHorizontalFlip:
      move_pixels(in, out, height, width,
                  [=](int row, int column) { return row * width + width - 1 - column; });
      return;
    case Edit::kHueMinus:
      turn_hue(static_cast<uint8_t>(-kHueShift), in, out);
      return;
    case Edit::kHuePlus:
      turn_hue(kHueShift, in, out);
      return;
    case Edit::kMasking:
      mask_corner(in, out, height, width);
      return;
    case Edit::kRotation:
      NEO_CHECK_EQ(height, width);
      move_pixels(in, out, height, width,
                  [=](int row, int column) { return column * width + width - 1 - row; });
      return;
    case Edit::kVerticalFlip:
      for (int row = 0; row < height; ++row) {
        std::copy_n(in.begin() + (height - 1 - row) * width * 3, width * 3, out.begin() + row * width * 3);
      }
      return;
  }
  fail("there is no image edit number {}", static_cast<int>(edit));
}

}  // namespace neo
