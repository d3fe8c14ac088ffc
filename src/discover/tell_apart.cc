#include "discover/tell_apart.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace neo {
namespace {

constexpr size_t kLeastPairs = 4;      // that a transformation must explain
constexpr size_t kFirstLook = 5;       // pairs in agreement before a transformation is tried
constexpr size_t kMostExamples = 30;   // in agreement without a transformation: give the example up
constexpr int kMostFailures = 24;      // examples in a row that led nowhere: the rest has nothing in common
// After so many examples, each must have explained this share of the pairs on average: more transformations than
// that are no memory of what the pairs have in common.
constexpr size_t kTrials = 32;
constexpr double kLeastShare = 1.0 / 640;
constexpr int kValueRounds = 3;             // of finding pairs that agree with what is known of a map of values
constexpr double kUse = 3.0;           // nats of naming a transformation for a pair

class Consensus {
 public:
  Consensus(const PairTable& pairs, int64_t noise, RngStream& random) : pairs_(pairs), noise_(noise) {
    for (int64_t pair = 0; pair < pairs.size(); ++pair)
      if (!std::ranges::equal(pairs.x_at(pair), pairs.y_at(pair))) pool_.push_back(pair);
    for (size_t i = pool_.size(); i > 1; --i) std::swap(pool_[i - 1], pool_[random.below(i)]);
  }

  std::vector<Transformation> run() {
    std::vector<Transformation> found;
    const auto all = static_cast<double>(pool_.size());
    size_t trials = 0;
    for (int failures = 0; failures < kMostFailures && pool_.size() >= kFirstLook; ++trials) {
      const double explained = all - static_cast<double>(pool_.size());
      if (trials >= kTrials && explained < static_cast<double>(trials) * kLeastShare * all) break;
      const int64_t example = pool_.back();
      auto next = by_values(example);
      if (!next) next = by_positions(example);
      if (next) {
        failures = 0;
        std::erase_if(pool_, [&](int64_t pair) { return std::ranges::binary_search(next->pairs, pair); });
        found.push_back(std::move(*next));
      } else {
        ++failures;
        std::rotate(pool_.begin(), pool_.end() - 1, pool_.end());
      }
    }
    return found;
  }

 private:
  std::vector<int64_t> explained_by(const Routing& routing) const {  // ascending
    std::vector<int64_t> out;
    for (const int64_t pair : pool_)
      if (routing.explains(pairs_.x_at(pair), pairs_.y_at(pair), noise_)) out.push_back(pair);
    std::ranges::sort(out);
    return out;
  }

  // Fits again to all that is explained, as long as that explains more; nothing unless it pays.
  std::optional<Transformation> complete(Routing routing, auto&& fit) const {
    std::vector<int64_t> explained = explained_by(routing);
    for (;;) {
      if (explained.size() < kLeastPairs) return {};
      Routing again = fit(explained);
      std::vector<int64_t> more = explained_by(again);
      if (more.size() < explained.size()) break;
      const bool is_done = more.size() == explained.size();
      routing = std::move(again);
      explained = std::move(more);
      if (is_done) break;
    }
    double saved = -routing.cost;
    for (const int64_t pair : explained)
      saved += baseline_cost(pairs_.x_at(pair), pairs_.y_at(pair), pairs_.values) - kUse;
    if (saved <= 0) return {};
    return Transformation{std::move(routing), std::move(explained)};
  }

  std::optional<Transformation> by_values(int64_t example) const {
    const auto fit = [this](const std::vector<int64_t>& chosen) { return fit_value_map(pairs_, chosen); };
    std::vector<int64_t> chosen{example};
    Routing routing = fit(chosen);
    if (!routing.explains(pairs_.x_at(example), pairs_.y_at(example), noise_)) return {};
    // Values that the examples have not shown yet may become anything.
    for (int round = 0; round < kValueRounds; ++round) {
      std::vector<bool> is_known(static_cast<size_t>(pairs_.values));
      for (const int64_t pair : chosen)
        for (const uint16_t value : pairs_.x_at(pair)) is_known[value] = true;
      chosen.clear();
      for (const int64_t pair : pool_) {
        const auto x = pairs_.x_at(pair), y = pairs_.y_at(pair);
        int64_t left = noise_;
        for (size_t cell = 0; cell < x.size() && left >= 0; ++cell)
          left -= is_known[x[cell]] && routing.map[x[cell]] != y[cell];
        if (left >= 0) chosen.push_back(pair);
      }
      routing = fit(chosen);
    }
    return complete(routing, fit);
  }

  std::optional<Transformation> by_positions(int64_t example) const {
    std::vector<int64_t> chosen{example};
    std::vector<std::pair<double, int64_t>> order;
    for (size_t wanted = 2;; wanted += 1 + wanted / 2) {
      const RoutingBelief belief(pairs_, chosen);
      if (chosen.size() >= kFirstLook) {
        const Routing routing = belief.most_likely();
        const size_t explained = explained_by(routing).size();
        const bool is_settled = explained >= chosen.size() || explained < wanted;
        if (explained >= kLeastPairs && is_settled)
          return complete(routing, [this](const std::vector<int64_t>& all) {
            return RoutingBelief(pairs_, all).most_likely();
          });
        if (wanted > kMostExamples || wanted > pool_.size()) return {};
      }
      order.clear();
      for (const int64_t pair : pool_)
        order.emplace_back(pair == example ? -1.0 : belief.loss(pairs_.x_at(pair), pairs_.y_at(pair)), pair);
      const size_t count = std::min(wanted, order.size());
      std::ranges::nth_element(order, order.begin() + static_cast<int64_t>(count) - 1);
      chosen.clear();
      for (size_t i = 0; i < count; ++i) chosen.push_back(order[i].second);
    }
  }

  const PairTable& pairs_;
  int64_t noise_;              // cells of y that may be wrong
  std::vector<int64_t> pool_;  // pairs that are not explained yet
};

// The fewest that explain what all of them do: each pair counts for the transformation that explains the most.
std::vector<Transformation> without_superfluous(const PairTable& pairs, int64_t noise,
                                                std::vector<Transformation> all) {
  for (Transformation& one : all) {
    one.pairs.clear();
    for (int64_t pair = 0; pair < pairs.size(); ++pair)
      if (one.routing.explains(pairs.x_at(pair), pairs.y_at(pair), noise)) one.pairs.push_back(pair);
  }
  std::ranges::stable_sort(all, [](auto& a, auto& b) { return a.pairs.size() > b.pairs.size(); });
  std::vector<bool> is_taken(static_cast<size_t>(pairs.size()));
  std::erase_if(all, [&](Transformation& one) {
    double saved = -one.routing.cost;
    size_t fresh = 0;
    for (const int64_t pair : one.pairs) {
      if (is_taken[static_cast<size_t>(pair)]) continue;
      ++fresh;
      saved += baseline_cost(pairs.x_at(pair), pairs.y_at(pair), pairs.values) - kUse;
    }
    if (fresh < kLeastPairs || saved <= 0) return true;
    for (const int64_t pair : one.pairs) is_taken[static_cast<size_t>(pair)] = true;
    return false;
  });
  return all;
}

}  // namespace

double baseline_cost(std::span<const uint16_t> x, std::span<const uint16_t> y, int64_t values) {
  const auto cells = static_cast<double>(x.size()), changed = static_cast<double>(changed_cells(x, y));
  const double which = changed > 0 ? changed * (std::log(cells / changed) + 1) : 0;
  return std::log(cells + 1) + which + changed * std::log(std::max<double>(1, static_cast<double>(values - 1)));
}

std::vector<Transformation> tell_apart(const PairTable& pairs, int64_t noise, RngStream random) {
  return without_superfluous(pairs, noise, Consensus(pairs, noise, random).run());
}

}  // namespace neo
