#include "linear/map_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace neo {
namespace {

constexpr int64_t kJudgedPairs = 400;    // that candidates are chosen by
constexpr int64_t kSampleStates = 48;    // on which maps are compared
constexpr size_t kMostDiffered = 40;     // transformations, the most frequent, whose differences are candidates
constexpr size_t kMostCandidates = 64;
constexpr double kSameDifference = 8.0;  // floors between maps that are counted as one
constexpr size_t kFittedPairs = 400;     // that a difference is fitted to
constexpr double kRidge = 1e-2;
// Of naming one map in a program; less than log Z, or frequent composites would be maps of their own.
constexpr double kStepNats = 0.2;
constexpr int kRefits = 3;

using Rows = std::vector<int64_t>;

double nats_of(double residual, double floor, int64_t width) {
  return 0.5 * static_cast<double>(width) * std::log((residual + floor) / floor);
}

MapTable some_of(const MapTable& pairs, int64_t count, RngStream& random) {
  Rows rows(static_cast<size_t>(pairs.size()));
  std::iota(rows.begin(), rows.end(), int64_t{0});
  count = std::min(count, pairs.size());
  for (int64_t i = 0; i < count; ++i)
    std::swap(rows[static_cast<size_t>(i)], rows[static_cast<size_t>(i) + random.below(rows.size() - static_cast<size_t>(i))]);
  rows.resize(static_cast<size_t>(count));
  return {pairs.x(rows, Eigen::all), pairs.y(rows, Eigen::all)};
}

// Maps that do the same are counted as one.
class Candidates {
 public:
  Candidates(const States& samples, double floor) : samples_(samples), same_(kSameDifference * floor) {}
  void add(AffineMap map) {
    States reached = map.apply(samples_);
    for (Entry& entry : entries_) {
      if (residuals(entry.reached, reached).mean() >= same_) continue;
      ++entry.count;
      return;
    }
    if (residuals(samples_, reached).mean() < same_) return;  // changes nothing
    entries_.push_back({std::move(map), std::move(reached), 1});
  }
  // The first `kept`, and of the others those that occurred at least twice, the most frequent first.
  std::vector<AffineMap> best(size_t kept) {
    kept = std::min(kept, entries_.size());
    std::stable_sort(entries_.begin() + static_cast<int64_t>(kept), entries_.end(),
                     [](const Entry& a, const Entry& b) { return a.count > b.count; });
    std::vector<AffineMap> out;
    for (size_t i = 0; i < std::min(entries_.size(), kMostCandidates); ++i)
      if (i < kept || entries_[i].count > 1) out.push_back(entries_[i].map);
    return out;
  }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    AffineMap map;
    States reached;
    int count;
  };
  const States& samples_;
  double same_;
  std::vector<Entry> entries_;
};

// Both kinds of difference are fitted to the pairs of `known`, from what it really made of them: inverting its map
// would amplify whatever it does not say.
class Differences {
 public:
  Differences(const MapTable& pairs, const MapTransformation& known) {
    const size_t count = std::min(known.pairs.size(), kFittedPairs);
    const Rows rows(known.pairs.begin(), known.pairs.begin() + static_cast<int64_t>(count));
    x_ = pairs.x(rows, Eigen::all);
    y_ = pairs.y(rows, Eigen::all);
    undo_ = fit_map(y_, x_, kRidge);
  }
  AffineMap following(const AffineMap& other) const { return fit_map(y_, other.apply(x_), kRidge); }
  AffineMap preceding(const AffineMap& other) const { return other.then(undo_); }

 private:
  States x_, y_;
  AffineMap undo_;
};

std::vector<AffineMap> candidates_of(const MapTable& pairs, std::vector<MapTransformation> transformations,
                                     double floor, RngStream& random) {
  std::ranges::stable_sort(transformations, [](auto& a, auto& b) { return a.pairs.size() > b.pairs.size(); });
  const States samples = some_of(pairs, kSampleStates, random).x;
  Candidates candidates(samples, floor);
  for (const MapTransformation& one : transformations) candidates.add(one.map);
  const size_t alone = candidates.size();
  const size_t differed = std::min(kMostDiffered, transformations.size());
  for (size_t known = 0; known < differed; ++known) {
    const Differences differences(pairs, transformations[known]);
    for (size_t other = 0; other < differed; ++other) {
      if (other == known) continue;
      candidates.add(differences.following(transformations[other].map));
      candidates.add(differences.preceding(transformations[other].map));
    }
  }
  return candidates.best(std::min(alone, kMostCandidates));
}

// Chooses among candidates by what they cost and what they leave unexplained.
class Choice {
 public:
  Choice(const MapTable& pairs, const std::vector<AffineMap>& candidates, double floor, double map_nats)
      : count_(candidates.size()), rows_(static_cast<size_t>(pairs.size())), map_nats_(map_nats) {
    const auto table = [&](const States& reached) {
      const Eigen::VectorXd left = residuals(reached, pairs.y);
      std::vector<float> nats(rows_);
      for (size_t row = 0; row < rows_; ++row)
        nats[row] = static_cast<float>(nats_of(left[static_cast<int64_t>(row)], floor, pairs.width()));
      return nats;
    };
    nothing_ = table(pairs.x);
    for (const AffineMap& first : candidates) {
      const States reached = first.apply(pairs.x);
      one_.push_back(table(reached));
      for (const AffineMap& last : candidates) two_.push_back(table(last.apply(reached)));
    }
  }

  std::vector<size_t> run() {
    grow();
    for (double before = cost_ + 1; cost_ < before - kEnough;) {
      before = cost_;
      shrink();
      exchange();
      grow();
    }
    shrink();
    return chosen_;
  }

 private:
  static constexpr double kEnough = 1e-6;

  double cost_of(const std::vector<size_t>& chosen) const {
    double sum = map_nats_ * static_cast<double>(chosen.size());
    std::vector<float> least = nothing_;
    const auto consider = [&](const std::vector<float>& nats, float steps) {
      for (size_t row = 0; row < rows_; ++row) least[row] = std::min(least[row], nats[row] + steps);
    };
    for (const size_t a : chosen) {
      consider(one_[a], static_cast<float>(kStepNats));
      for (const size_t b : chosen) consider(two_[a * count_ + b], static_cast<float>(2 * kStepNats));
    }
    for (const float nats : least) sum += nats;
    return sum;
  }
  bool accept(std::vector<size_t> chosen) {
    const double cost = cost_of(chosen);
    if (cost >= cost_ - kEnough) return false;
    cost_ = cost;
    chosen_ = std::move(chosen);
    return true;
  }
  // The best single change of a kind, as long as there is one that pays.
  void improve(auto&& changes) {
    for (;;) {
      std::vector<size_t> best;
      double least = cost_ - kEnough;
      changes([&](std::vector<size_t> chosen) {
        if (const double cost = cost_of(chosen); cost < least) least = cost, best = std::move(chosen);
      });
      if (least >= cost_ - kEnough || !accept(std::move(best))) return;
    }
  }
  void grow() {
    improve([&](auto&& propose) {
      for (size_t in = 0; in < count_; ++in) {
        if (std::ranges::find(chosen_, in) != chosen_.end()) continue;
        std::vector<size_t> more = chosen_;
        more.push_back(in);
        propose(std::move(more));
      }
    });
  }
  void shrink() {
    improve([&](auto&& propose) {
      for (size_t i = 0; i < chosen_.size(); ++i) {
        std::vector<size_t> fewer = chosen_;
        fewer.erase(fewer.begin() + static_cast<int64_t>(i));
        propose(std::move(fewer));
      }
    });
  }
  void exchange() {
    for (size_t i = 0; i < chosen_.size(); ++i)
      for (size_t in = 0; in < count_; ++in) {
        if (std::ranges::find(chosen_, in) != chosen_.end()) continue;
        std::vector<size_t> other = chosen_;
        other[i] = in;
        accept(std::move(other));
      }
  }

  size_t count_, rows_;
  double map_nats_;
  std::vector<float> nothing_;                   // [B] nats of doing nothing
  std::vector<std::vector<float>> one_, two_;    // [Z], [Z Z] of [B]: first, last
  std::vector<size_t> chosen_;
  double cost_ = std::numeric_limits<double>::infinity();
};

// The maps learned again as last steps of the programs that they are in, as long as that describes pairs better.
void refit(const MapTable& pairs, std::vector<AffineMap>& maps, double floor) {
  MapPrograms now = describe_by_maps(pairs, maps, floor);
  for (int round = 0; round < kRefits; ++round) {
    std::vector<AffineMap> next = maps;
    for (size_t z = 0; z < maps.size(); ++z) {
      Rows rows;
      for (size_t row = 0; row < now.last.size(); ++row)
        if (now.last[row] == static_cast<int64_t>(z)) rows.push_back(static_cast<int64_t>(row));
      if (static_cast<int64_t>(rows.size()) < 2 * (pairs.width() + 1)) continue;
      States from = pairs.x(rows, Eigen::all);
      for (size_t i = 0; i < rows.size(); ++i)
        if (const int64_t first = now.first[static_cast<size_t>(rows[i])]; first >= 0)
          from.row(static_cast<int64_t>(i)) = maps[static_cast<size_t>(first)].apply(from.row(static_cast<int64_t>(i)));
      next[z] = fit_map(from, pairs.y(rows, Eigen::all), kRidge);
    }
    MapPrograms again = describe_by_maps(pairs, next, floor);
    if (again.nats >= now.nats) return;
    maps = std::move(next);
    now = std::move(again);
  }
}

}  // namespace

double map_cost(int64_t width, int64_t pairs, double floor) {
  return 0.5 * static_cast<double>(width * (width + 1)) * std::log(static_cast<double>(pairs) / floor);
}

double nats_without_maps(const MapTable& pairs, double floor) {
  double sum = 0;
  for (const double residual : residuals(pairs.x, pairs.y)) sum += nats_of(residual, floor, pairs.width());
  return sum;
}

MapPrograms describe_by_maps(const MapTable& pairs, const std::vector<AffineMap>& maps, double floor) {
  const auto rows = static_cast<size_t>(pairs.size());
  MapPrograms best{std::vector<int64_t>(rows, -1), std::vector<int64_t>(rows, -1), residuals(pairs.x, pairs.y), 0};
  Eigen::VectorXd least(pairs.size());
  for (int64_t row = 0; row < pairs.size(); ++row) least[row] = nats_of(best.residual[row], floor, pairs.width());
  const auto consider = [&](const States& reached, int64_t first, size_t last) {
    const Eigen::VectorXd left = residuals(reached, pairs.y);
    for (size_t row = 0; row < rows; ++row) {
      const auto r = static_cast<int64_t>(row);
      const double nats = nats_of(left[r], floor, pairs.width()) + (first < 0 ? 1 : 2) * kStepNats;
      if (nats >= least[r]) continue;
      least[r] = nats;
      best.first[row] = first;
      best.last[row] = static_cast<int64_t>(last);
      best.residual[r] = left[r];
    }
  };
  for (size_t a = 0; a < maps.size(); ++a) {
    const States reached = maps[a].apply(pairs.x);
    consider(reached, -1, a);
    for (size_t b = 0; b < maps.size(); ++b) consider(maps[b].apply(reached), static_cast<int64_t>(a), b);
  }
  best.nats = least.sum();
  return best;
}

std::vector<AffineMap> select_maps(const MapTable& pairs, const std::vector<MapTransformation>& transformations,
                                   double floor, RngStream random) {
  const std::vector<AffineMap> candidates = candidates_of(pairs, transformations, floor, random);
  const MapTable judged = some_of(pairs, kJudgedPairs, random);
  const double share = static_cast<double>(judged.size()) / static_cast<double>(pairs.size());
  std::vector<AffineMap> chosen;
  for (const size_t i : Choice(judged, candidates, floor, share * map_cost(pairs.width(), pairs.size(), floor)).run())
    chosen.push_back(candidates[i]);
  refit(pairs, chosen, floor);
  return chosen;
}

}  // namespace neo
