#include "linear/map_consensus.h"

#include <algorithm>
#include <numeric>

namespace neo {
namespace {

constexpr int kStarts = 6;         // examples tried for every transformation
constexpr int kMostFailures = 20;  // in a row: the rest has nothing in common
constexpr size_t kMostMaps = 64;
constexpr int kMostRounds = 80, kLastRounds = 4;
constexpr double kGrowth = 1.08;  // pairs of the next round for each of this one
// Few pairs determine no map: at first it stays near the identity.
constexpr double kFirstRidge = 3.0, kLastRidge = 0.01, kRelease = 0.7;
constexpr int64_t kPairsPerDimension = 4;  // that a transformation must explain, and to which a consensus grows
constexpr double kSame = 2.0;  // floors between what two maps make of a state: they are the same transformation

using Rows = std::vector<int64_t>;

class MapConsensus {
 public:
  MapConsensus(const MapTable& pairs, double floor, RngStream& random)
      : pairs_(pairs), floor_(floor), random_(random), pool_(static_cast<size_t>(pairs.size())) {
    std::iota(pool_.begin(), pool_.end(), int64_t{0});
  }

  std::vector<MapTransformation> run() {
    for (int failures = 0; failures < kMostFailures && pool_.size() > enough() && found_.size() < kMostMaps;) {
      MapTransformation best;
      const MapTable left = at(pool_);
      for (int start = 0; start < kStarts; ++start) {
        MapTransformation next = around(static_cast<int64_t>(random_.below(pool_.size())), left);
        if (next.pairs.size() > best.pairs.size()) best = std::move(next);
      }
      if (best.pairs.size() < enough()) {
        ++failures;
        continue;
      }
      failures = 0;
      take(std::move(best));
    }
    return std::move(found_);
  }

 private:
  size_t enough() const { return static_cast<size_t>(kPairsPerDimension * (pairs_.width() + 1)); }

  MapTable at(const Rows& chosen) const { return {pairs_.x(chosen, Eigen::all), pairs_.y(chosen, Eigen::all)}; }

  // The `count` rows with the least of `values`, ascending by number.
  static Rows least(const Eigen::VectorXd& values, size_t count) {
    Rows order(static_cast<size_t>(values.size()));
    std::iota(order.begin(), order.end(), int64_t{0});
    count = std::min(count, order.size());
    std::nth_element(order.begin(), order.begin() + static_cast<int64_t>(count) - 1, order.end(),
                     [&](int64_t a, int64_t b) { return std::pair(values[a], a) < std::pair(values[b], b); });
    order.resize(count);
    std::ranges::sort(order);
    return order;
  }

  Rows below_floor(const Eigen::VectorXd& residual) const {
    Rows out;
    for (int64_t i = 0; i < residual.size(); ++i)
      if (residual[i] < floor_) out.push_back(i);
    return out;
  }

  static AffineMap fit(const MapTable& pairs, const Rows& rows, double ridge) {
    return fit_map(pairs.x(rows, Eigen::all), pairs.y(rows, Eigen::all), ridge);
  }

  // Numbers of the pairs are those of `left`.
  MapTransformation around(int64_t example, const MapTable& left) const {
    const Eigen::VectorXd distance = (left.x.rowwise() - left.x.row(example)).rowwise().squaredNorm() +
                                     ((left.y - left.x).rowwise() - (left.y - left.x).row(example)).rowwise().squaredNorm();
    Rows chosen = least(distance, static_cast<size_t>(left.width() + 1));
    MapTransformation found;
    double ridge = kFirstRidge;
    for (int round = 0; round < kMostRounds; ++round, ridge = std::max(kLastRidge, kRelease * ridge)) {
      found.map = fit(left, chosen, ridge);
      const Eigen::VectorXd residual = residuals(found.map.apply(left.x), left.y);
      found.pairs = below_floor(residual);
      size_t count = chosen.size();
      if (count < enough()) count = static_cast<size_t>(kGrowth * static_cast<double>(count)) + 1;
      Rows next = least(residual, std::max(count, found.pairs.size()));
      if (next == chosen && ridge <= kLastRidge) break;
      chosen = std::move(next);
    }
    return found;
  }

  void take(MapTransformation found) {
    const MapTable left = at(pool_);
    for (int round = 0; round < kLastRounds; ++round) {
      found.map = fit(left, found.pairs, kLastRidge);
      Rows next = below_floor(residuals(found.map.apply(left.x), left.y));
      if (next.size() < enough() || next == found.pairs) break;
      found.pairs = std::move(next);
    }
    Rows rest;
    for (size_t i = 0, taken = 0; i < pool_.size(); ++i) {
      if (taken < found.pairs.size() && found.pairs[taken] == static_cast<int64_t>(i)) {
        found.pairs[taken++] = pool_[i];
      } else {
        rest.push_back(pool_[i]);
      }
    }
    pool_ = std::move(rest);
    // What a first consensus left behind of a transformation joins it.
    for (MapTransformation& other : found_) {
      if (!is_same(found, other)) continue;
      other.pairs.insert(other.pairs.end(), found.pairs.begin(), found.pairs.end());
      std::ranges::sort(other.pairs);
      other.map = fit(pairs_, other.pairs, kLastRidge);
      return;
    }
    found_.push_back(std::move(found));
  }

  bool is_same(const MapTransformation& one, const MapTransformation& other) const {
    const States inputs = pairs_.x(one.pairs, Eigen::all);
    return residuals(one.map.apply(inputs), other.map.apply(inputs)).mean() < kSame * floor_;
  }

  const MapTable& pairs_;
  double floor_;
  RngStream& random_;
  Rows pool_;  // pairs that are not explained yet
  std::vector<MapTransformation> found_;
};

}  // namespace

std::vector<MapTransformation> tell_maps_apart(const MapTable& pairs, double floor, RngStream random) {
  return MapConsensus(pairs, floor, random).run();
}

}  // namespace neo
