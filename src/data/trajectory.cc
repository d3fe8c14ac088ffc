#include "data/trajectory.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace neo {

TrajectoryPairs::TrajectoryPairs(const Lags& lags, const PairVisitor& visitor, uint64_t source)
    : lags_(lags), visitor_(visitor), rng_(lags.seed + source, "lags") {}

void TrajectoryPairs::begin(int64_t trajectory) {
  recent_.clear();
  first_ = step_ = 0;
  trajectory_ = trajectory;
}

void TrajectoryPairs::require_pairs(const std::string& name, const char* unit, const std::string& remedy) const {
  if (pairs_ > 0) return;
  const std::string lags = lags_.least == lags_.most ? counted(lags_.least, "step")
                                                     : fmt::format("{}-{} steps", lags_.least, lags_.most);
  fail("{}: no {} is long enough for a pair {} apart; {}", name, unit, lags,
       longest_ > 1 ? "give smaller --lags" : remedy);
}

void TrajectoryPairs::add(RawValue observation, std::string action) {
  pair_up(observation);
  const auto choices = static_cast<uint64_t>(lags_.most - lags_.least + 1);
  const int64_t lag = lags_.least + static_cast<int64_t>(rng_.below(choices));
  recent_.push_back({std::move(observation), std::move(action), step_ + lag});
  longest_ = std::max(longest_, ++step_);
  if (static_cast<int64_t>(recent_.size()) > lags_.most) {
    recent_.pop_front();
    ++first_;
  }
}

void TrajectoryPairs::pair_up(const RawValue& y) {
  for (size_t i = 0; i < recent_.size(); ++i) {
    if (recent_[i].partner != step_) continue;
    RawPair pair{.x = recent_[i].observation, .y = y, .trajectory = trajectory_};
    for (size_t j = i; j < recent_.size(); ++j) {
      if (recent_[j].action.empty()) {
        pair.program.clear();
        break;
      }
      pair.program += (j > i ? " " : "") + recent_[j].action;
    }
    ++pairs_;
    visitor_(pair);
  }
}

}  // namespace neo
