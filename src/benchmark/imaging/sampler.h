#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmark/imaging/cifar.h"

namespace neo {

// One split to sample: for each program in order, `episodes` pairs of images on which it has a visible
// effect.
struct ImagingPlan {
  std::string split;
  std::vector<Program> programs;
  int64_t episodes = 0;      // wanted per program
  bool test_images = false;  // from CIFAR's test set
  uint32_t exact_seed = 0;   // of the benchmark's random stream
  int draws = 100;           // image pairs tried in one attempt; ten attempts per wanted episode
};

// Both give up after a bounded number of attempts, so a split may hold fewer episodes than wanted. They need
// at least two images, and call the sink from the caller's thread.

// The benchmark's own episodes, bit for bit. Its random draws are one sequence and most of the work; they run
// ahead on a second thread.
void sample_exact(const ImageSet& images, const ImagingPlan& plan, const EpisodeSink& sink);

// Episodes of the same distribution from our own generator. The result depends on the seed, not on `threads`.
void sample_fast(const ImageSet& images, const ImagingPlan& plan, uint64_t seed, int threads,
                 const EpisodeSink& sink);

}  // namespace neo
