#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/rng.h"
#include "data/raw_pair.h"

namespace neo {

// Distance of the two observations of a pair, in steps of a trajectory.
struct Lags {
  int64_t least = 1, most = 3;
  uint64_t seed = 42;
};

// Makes pairs (t, t + k) of trajectories, k drawn for each t. The learner is not told k.
class TrajectoryPairs {
 public:
  TrajectoryPairs(const Lags& lags, const PairVisitor& visitor, uint64_t source = 0);
  void begin();  // a new trajectory
  // `action`: what was done after this observation; empty: unknown.
  void add(RawValue observation, std::string action = "");
  int64_t pairs() const { return pairs_; }
  int64_t trajectories() const { return trajectory_ + 1; }

 private:
  struct Step {
    RawValue observation;
    std::string action;
    int64_t partner;  // the step that it is paired with
  };
  void pair_up(const RawValue& y);

  Lags lags_;
  const PairVisitor& visitor_;
  RngStream rng_;
  std::deque<Step> recent_;  // the last steps; the first is number first_
  int64_t first_ = 0, step_ = 0;
  int64_t trajectory_ = -1, pairs_ = 0;
};

}  // namespace neo
