#include "benchmark/imaging/landscape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rng.h"

namespace neo {
namespace {

constexpr int kSide = 32;

using Rgb = std::array<double, 3>;

Rgb random_rgb(RngStream& random, double low, double high) {
  Rgb colour{};
  for (double& channel : colour) channel = low + (high - low) * random.uniform();
  return colour;
}

Rgb mixed(const Rgb& a, const Rgb& b, double share) {
  Rgb colour{};
  for (size_t c = 0; c < 3; ++c) colour[c] = a[c] + (b[c] - a[c]) * share;
  return colour;
}

}  // namespace

Observation paint_landscape(uint64_t seed) {
  RngStream random(seed, "landscape");
  const Rgb zenith = random_rgb(random, 60, 200);
  const Rgb horizon = random_rgb(random, 150, 250);
  const Rgb far_hill = random_rgb(random, 50, 160);
  const Rgb near_hill = random_rgb(random, 20, 120);
  const Rgb sun{250, 225, 160};
  const double sun_x = kSide * random.uniform();
  const double sun_y = kSide * (0.1 + 0.3 * random.uniform());
  const double radius = 2.5 + 3 * random.uniform();
  const double far_phase = 6.28 * random.uniform();
  const double near_phase = 6.28 * random.uniform();
  Observation image;
  image.reserve(size_t{3} * kSide * kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      Rgb colour = mixed(zenith, horizon, y / 22.0);
      const double distance = std::hypot(x - sun_x, y - sun_y) - radius;
      colour = mixed(colour, sun, std::clamp(0.5 - distance / 2, 0.0, 1.0));
      const double far_edge = 17 + 4 * std::sin(x / 6.0 + far_phase);
      const double near_edge = 24 + 4 * std::sin(x / 9.0 + near_phase);
      colour = mixed(colour, far_hill, std::clamp(y - far_edge + 0.5, 0.0, 1.0));
      colour = mixed(colour, near_hill, std::clamp(y - near_edge + 0.5, 0.0, 1.0));
      for (double channel : colour) image.push_back(static_cast<uint8_t>(std::clamp(channel, 0.0, 255.0)));
    }
  }
  return image;
}

}  // namespace neo
