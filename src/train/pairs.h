#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <functional>
#include <future>
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

// New pairs for pass 1, 2, ...; the same ones whenever it is asked again.
using FreshPairs = std::function<PairSet(int64_t pass)>;

// Endless shuffled batches of whole episodes, one pass after the other; the last batch of a pass may be
// smaller. Every pass goes over the same pairs, or over fresh ones, which are made while the pass before is
// under way.
class BatchStream {
 public:
  BatchStream(PairSet pairs, int64_t episodes_per_batch, uint64_t seed, FreshPairs fresh = {});
  PairBatch next();
  int64_t batches_per_pass() const;
  bool pass_is_over() const { return taken_ == batches_per_pass(); }
  int64_t pass() const { return pass_; }  // from 0

  // Where the stream is, for checkpoints: the generator at the start of the pass, and batches taken from it.
  struct Position {
    RngStream::State pass_start{};
    int64_t pass = 0;
    int64_t taken = 0;
  };
  Position position() const { return {pass_start_, pass_, taken_}; }
  void seek(const Position& position);

 private:
  void start_pass();
  void prepare_next();
  PairSet pairs_;
  int64_t per_batch_;
  RngStream random_;
  FreshPairs fresh_;
  std::future<PairSet> next_pairs_;
  RngStream::State pass_start_{};
  std::vector<int64_t> order_;
  int64_t pass_ = 0, taken_ = 0;
};

}  // namespace neo
