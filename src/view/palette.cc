#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "view/style.h"
#include "view/view.h"

namespace neo {
namespace {

// h in turns; s and l in [0, 1].
Colour from_hsl(double h, double s, double l) {
  const double chroma = (1 - std::abs(2 * l - 1)) * s;
  const auto channel = [&](double offset) {
    const double k = std::fmod(6 * h + offset, 6.0);
    const double ramp = std::clamp(std::min(k, 4 - k), 0.0, 1.0);  // 0, rises, 1, falls, 0
    return static_cast<uint8_t>(std::lround(255 * (l - chroma / 2 + chroma * ramp)));
  };
  return {channel(2), channel(0), channel(4)};
}

}  // namespace

Colour value_colour(int64_t value, int64_t values) {
  NEO_CHECK_LE(int64_t{0}, value);
  NEO_CHECK_LT(value, values);
  static constexpr std::array<Colour, 9> kChosen{{{252, 252, 250},
                                                  {31, 119, 180},
                                                  {214, 39, 40},
                                                  {44, 160, 44},
                                                  {247, 201, 46},
                                                  {127, 127, 127},
                                                  {227, 119, 194},
                                                  {255, 127, 14},
                                                  {23, 190, 207}}};
  if (value < static_cast<int64_t>(kChosen.size())) return kChosen[static_cast<size_t>(value)];
  // Neighbouring values are a golden angle apart in hue, and lightness changes with them: no two are alike.
  constexpr double kGoldenAngle = 0.3819660112501051;  // of a turn
  constexpr std::array<double, 4> kLightness{0.38, 0.62, 0.28, 0.74};
  const auto i = static_cast<size_t>(value) - kChosen.size();
  const double hue = std::fmod(0.76 + kGoldenAngle * static_cast<double>(i), 1.0);
  return from_hsl(hue, i / 4 % 2 == 0 ? 0.65 : 0.45, kLightness[i % kLightness.size()]);
}

Colour ink_on(Colour c) {
  const double light = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
  return light > 140 ? kInk : Colour{255, 255, 255};
}

std::string foreground_code(Colour c) { return fmt::format("\x1b[38;2;{};{};{}m", c[0], c[1], c[2]); }
std::string background_code(Colour c) { return fmt::format("\x1b[48;2;{};{};{}m", c[0], c[1], c[2]); }
std::string half_block(Colour top, Colour bottom) {
  return foreground_code(top) + background_code(bottom) + "▀";
}

}  // namespace neo
