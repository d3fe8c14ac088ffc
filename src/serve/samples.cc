#include "serve/samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/rng.h"
#include "worlds/arithmetic/programs.h"
#include "worlds/episode_digest.h"
#include "worlds/gridworld/gridworld.h"
#include "worlds/gridworld/programs.h"
#include "worlds/gridworld/shape_pool.h"
#include "worlds/imaging/programs.h"

namespace neo {
namespace {

constexpr int kTries = 1000;
constexpr int kSide = 32;

Observation random_grid(RngStream& random) {
  const Shape& shape = shape_pool()[random.below(shape_pool().size())];
  const auto colour = static_cast<uint8_t>(1 + random.below(kGridColours));
  int height = 0;
  int width = 0;
  for (const auto& [y, x] : shape) {
    height = std::max(height, y + 1);
    width = std::max(width, x + 1);
  }
  const int top = static_cast<int>(random.below(static_cast<uint64_t>(kGridSide - height + 1)));
  const int left = static_cast<int>(random.below(static_cast<uint64_t>(kGridSide - width + 1)));
  Observation grid(kGridSide * kGridSide, 0);
  for (const auto& [y, x] : shape) grid[static_cast<size_t>((top + y) * kGridSide + left + x)] = colour;
  return grid;
}

// Small enough that a few factors keep it within six digits, of one to four digits alike.
Observation random_number(RngStream& random) {
  int64_t limit = 10;
  for (uint64_t digits = random.below(4); digits > 0; --digits) limit *= 10;
  return number_to_digits(1 + static_cast<int64_t>(random.below(static_cast<uint64_t>(limit - 1))));
}

std::vector<Program> programs_of(const World& world, int length) {
  if (&world == &gridworld()) return canonical_grid_programs(length, length);
  if (&world == &arithmetic()) return arithmetic_programs(length, length);
  return imaging_programs(length, length);
}

}  // namespace

int64_t Samples::longest(const World& world) {
  if (&world == &gridworld()) return 8;
  return &world == &arithmetic() ? 6 : 4;
}

Observation Samples::picture(uint64_t seed) {
  const std::scoped_lock lock(mutex_);
  if (!images_) {
    const bool there = std::filesystem::exists(cifar_ / "test_batch.bin");
    images_ = there ? load_cifar10_test(cifar_) : ImageSet{};
  }
  if (images_->count() == 0) return paint_landscape(seed);
  const auto image = images_->image(static_cast<int64_t>(seed % static_cast<uint64_t>(images_->count())));
  return {image.begin(), image.end()};
}

Episode Samples::draw(const World& world, int64_t length, uint64_t seed) {
  RngStream random(seed, "samples");
  const auto programs = programs_of(world, static_cast<int>(std::clamp<int64_t>(length, 1, longest(world))));
  const auto input = [&] {
    if (&world == &gridworld()) return random_grid(random);
    if (&world == &arithmetic()) return random_number(random);
    return picture(random.next64());
  };
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const Program& program = programs[random.below(programs.size())];
    Episode episode{input(), {}, input(), {}, program};
    auto support_y = world.run(program, episode.support_x);
    auto query_y = world.run(program, episode.query_x);
    if (!support_y || !query_y || episode.support_x == episode.query_x) continue;
    episode.support_y = std::move(*support_y);
    episode.query_y = std::move(*query_y);
    return episode;
  }
  fail("no sample of {} found", world.name());
}

namespace {

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
