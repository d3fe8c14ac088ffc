#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "worlds/episode_file.h"

namespace neo {

// What to make. Profiles: "otib" gives the splits train, id and (for alpha < 1) comp or (GridWorld, alpha = 1)
// id-clean; "length" gives length; "pretraining" gives pretrain and pretrain-test.
struct DataRequest {
  std::string world;
  double alpha = 1.0;
  std::string profile = "otib";
  // GridWorld and Arithmetic: only the first N episodes of each split, equal to those of the full split.
  // Imaging: N episodes per program. 0 = the paper's numbers.
  int64_t episodes = 0;
  bool fast_sampling = false;  // Imaging: own random numbers and all cores instead of the release's draws
  uint64_t seed = 42;          // for fast sampling
  std::filesystem::path cifar;
};

// Called once per split, in order, with the number of episodes to expect; returns where to put them. Imaging
// leaves out a split whose sink is empty.
using OpenSplit = std::function<EpisodeSink(const std::string& split, int64_t expected,
                                            const std::vector<Program>& programs)>;

void generate(const DataRequest& request, const OpenSplit& open);  // throws UsageError on a bad request

}  // namespace neo
