#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>

#include "worlds/episode_file.h"
#include "worlds/imaging/cifar.h"

namespace neo {

// Something to try a theory on: two random phenomena of one hidden program, in the manner of the benchmark.
class Samples {
 public:
  // `cifar`: a folder with CIFAR-10 for pictures; where it is not there, little landscapes are painted.
  explicit Samples(std::filesystem::path cifar = {}) : cifar_(std::move(cifar)) {}

  // A program of `length` steps on random inputs. The same seed gives the same episode.
  Episode draw(const World& world, int64_t length, uint64_t seed);
  // The longest programs that draw() knows in a world.
  static int64_t longest(const World& world);

 private:
  Observation picture(uint64_t seed);

  std::filesystem::path cifar_;
  std::mutex mutex_;
  std::optional<ImageSet> images_;  // once asked for
};

// A 32x32 picture of hills under a sky, for want of photographs.
Observation paint_landscape(uint64_t seed);

}  // namespace neo
