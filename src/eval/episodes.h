#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <string>
#include <vector>

#include "worlds/episode_file.h"

namespace neo {

// Episodes of one split as tensors, ready for evaluation.
struct EpisodeSet {
  std::string name;  // split, or file name for files of others
  const World* world = nullptr;
  int64_t longest_program = 0;    // of the hidden ones; tells ID from length OOD
  std::vector<Program> programs;  // [E] the hidden ones, where known; for diagnosis only
  torch::Tensor support_x, support_y, query_x, query_y;  // uint8 [E, N]
  int64_t size() const { return support_x.size(0); }
};
EpisodeSet load_episodes(const std::filesystem::path& path, int64_t most);
EpisodeSet episodes_of(const World& world, const std::string& name, const std::vector<Episode>& episodes);

}  // namespace neo
