#pragma once

#include <torch/torch.h>

#include <functional>
#include <future>
#include <vector>

#include "core/rng.h"
#include "observe/pairs.h"

namespace neo {

struct PairBatch {
  torch::Tensor x, y;        // [B, N]
  torch::Tensor group = {};  // [B] rows of equal numbers share a program; undefined unless training is grouped
};

// New pairs for pass 1, 2, ...; the same ones on every call.
using FreshPairs = std::function<Pairs(int64_t pass)>;

struct BatchOptions {
  int64_t size = 256;    // pairs
  uint64_t seed = 0;
  bool grouped = false;  // whole groups, and their numbers with them
};

// Endless shuffled batches of independent pairs, one pass after the other; the last batch of a pass may be
// smaller. Every pass goes over the same pairs, or over fresh ones, which are made while the pass before is
// under way.
class BatchStream {
 public:
  BatchStream(Pairs pairs, const BatchOptions& options, FreshPairs fresh = {});
  PairBatch next();
  int64_t batches_per_pass() const { return static_cast<int64_t>(batch_start_.size()) - 1; }
  bool pass_is_over() const { return taken_ == batches_per_pass(); }
  int64_t pass() const { return pass_; }  // from 0
  const Pairs& pairs() const { return pairs_; }

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

  Pairs pairs_;
  BatchOptions options_;
  RngStream random_;
  FreshPairs fresh_;
  std::future<Pairs> next_pairs_;
  RngStream::State pass_start_{};
  std::vector<int64_t> order_;        // rows of the pass
  std::vector<int64_t> batch_start_;  // in order_, one more than batches
  int64_t pass_ = 0, taken_ = 0;
};

}  // namespace neo
