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
  void begin() { begin(trajectory_ + 1); }  // a new trajectory
  // Goes on with a part of a trajectory, which may have had others; no pair spans two parts.
  void begin(int64_t trajectory);
  // `action`: what was done after this observation; empty: unknown.
  void add(RawValue observation, std::string action = "");
  int64_t pairs() const { return pairs_; }
  // An Error where there are no pairs: `name` is the source, `unit` what it is made of, `remedy` what helps
  // where none has more than one observation.
  void require_pairs(const std::string& name, const char* unit, const std::string& remedy) const;

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
  int64_t longest_ = 0;  // observations of a trajectory, or of a part of one
  int64_t trajectory_ = -1, pairs_ = 0;
};

}  // namespace neo
