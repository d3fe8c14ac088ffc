#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <string>

#include "core/rng.h"
#include "worlds/episode_file.h"

namespace neo {

// The training pairs of a file, in memory: support and query of an episode are two independent pairs.
struct PairSet {
  const World* world = nullptr;
  double alpha = 1.0;
  std::string digest;
  torch::Tensor x, y;  // uint8 [2 episodes, N]; pair 2i is the support of episode i, 2i+1 its query
  int64_t episodes() const { return x.size(0) / 2; }
};
PairSet load_pairs(const std::filesystem::path& path);
// The pairs of episodes in memory.
PairSet pairs_of(const World& world, double alpha, const std::vector<Episode>& episodes);

struct PairBatch {
  torch::Tensor x, y;  // uint8 [B, N]
};

// Endless shuffled batches of whole episodes, one pass after the other; the last batch of a pass may be
// smaller.
class BatchStream {
 public:
  BatchStream(const PairSet& pairs, int64_t episodes_per_batch, uint64_t seed);
  PairBatch next();
  int64_t batches_per_epoch() const;

  // Where the stream is, for checkpoints: the generator at the start of the pass, and batches taken from it.
  struct Position {
    RngStream::State pass_start{};
    int64_t taken = 0;
  };
  Position position() const { return {pass_start_, taken_}; }
  void seek(const Position& position);

 private:
  void start_pass();
  const PairSet& pairs_;
  int64_t per_batch_;
  RngStream random_;
  RngStream::State pass_start_{};
  std::vector<int64_t> order_;
  int64_t taken_ = 0;
};

}  // namespace neo
