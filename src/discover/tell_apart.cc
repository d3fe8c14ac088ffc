#include "discover/tell_apart.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "discover/rule_consensus.h"

namespace neo {
namespace {

constexpr size_t kFirstLook = 5;      // pairs in agreement before a transformation is tried
constexpr size_t kMostExamples = 30;  // in agreement without a transformation: give the example up
constexpr int kMostFailures = 24;  // examples in a row that led nowhere: the rest has nothing in common
constexpr int kMostRuleFailures = 8;  // the same where only rules are looked for
// After so many examples, each must have explained this share of the pairs on average: more transformations
// than that are no memory of what the pairs have in common.
constexpr size_t kTrials = 32;
constexpr double kLeastShare = 1.0 / 640;
constexpr size_t kFewRules = 16, kMostRules = 40;  // at least and at most, when composites are looked for
constexpr int kValueRounds = 3;  // of finding pairs that agree with what is known of a map of values
constexpr size_t kExamples = 12, kStarts = 4;  // pairs that a rule may begin with, and how many are tried

class Consensus {
 public:
  enum class Family { rules, routings, both };
  Consensus(const PairTable& pairs, int64_t noise, RngStream& random)
      : pairs_(pairs),
        noise_(noise),
        may_route_(can_route(pairs.shape)),
        random_(random),
        rules_(pairs, random) {
    for (int64_t pair = 0; pair < pairs.size(); ++pair)
      if (!std::ranges::equal(pairs.x_at(pair), pairs.y_at(pair))) pool_.push_back(pair);
    shuffle();
  }

  std::vector<Transformation> run() {
    if (noise_ == 0) {
      find_more(Family::rules);
      extend_rules(0);
      const size_t first = found_.size();
      find_more(Family::both);
      extend_rules(first);
    } else {  // where y is wrong here and there, one example gives no rule
      find_more(Family::routings);
    }
    unite_rules();
    for (Transformation& one : found_)  // of which differences can be made
      if (one.operation.rule())
        if (auto routing = as_routing(*one.operation.rule())) one.operation = std::move(*routing);
    return std::move(found_);
  }

 private:
  void find_more(Family family) {
    const auto all = static_cast<double>(pool_.size());
    const int most_failures = family == Family::rules ? kMostRuleFailures : kMostFailures;
    size_t trials = 0;
    for (int failures = 0; failures < most_failures && pool_.size() >= kFirstLook; ++trials) {
      const double explained = all - static_cast<double>(pool_.size());
      if (trials >= kTrials && explained < static_cast<double>(trials) * kLeastShare * all) break;
      auto next = any_of(pool_.back(), family);
      if (next) {
        failures = 0;
        take(std::move(*next));
      } else {
        ++failures;
        std::rotate(pool_.begin(), pool_.end() - 1, pool_.end());
      }
    }
  }

  std::optional<Transformation> any_of(int64_t example, Family family) {
    std::optional<Transformation> next;
    if (family != Family::routings) next = by_rule();
    if (pairs_.shape.channels == 1) next = better(std::move(next), by_values(example));
    if (!next && may_route_ && family != Family::rules) next = by_positions(example);
    return next;
  }

  void take(Transformation one) {
    drop(one.pairs);
    found_.push_back(std::move(one));
    drop_composites();
  }

  void drop(const std::vector<int64_t>& explained) {
    std::erase_if(pool_, [&](int64_t pair) { return std::ranges::binary_search(explained, pair); });
  }

  void extend_rules(size_t first) {
    for (size_t i = first; i < found_.size(); ++i) {
      if (!found_[i].operation.rule()) continue;
      std::ranges::sort(pool_);
      rules_.extend(found_[i], pool_);
      drop(found_[i].pairs);
    }
    shuffle();
  }

  // The two rules that save most as one become one, until none do.
  void unite_rules() {
    std::vector<Transformation> rules, rest;
    for (Transformation& one : found_) (one.operation.rule() ? rules : rest).push_back(std::move(one));
    const auto saved = [&](size_t one, size_t other, const std::optional<Transformation>& both) {
      return both ? rules[one].operation.cost() + rules[other].operation.cost() - both->operation.cost()
                  : 0.0;
    };
    std::map<std::pair<size_t, size_t>, std::optional<Transformation>>
        tried;  // by numbers of rules, first < last
    std::vector<bool> is_gone(rules.size());
    for (;;) {
      double most = 0;
      std::pair<size_t, size_t> best;
      for (size_t other = 0; other < rules.size(); ++other) {
        for (size_t one = 0; one < other; ++one) {
          if (is_gone[one] || is_gone[other]) continue;
          auto [entry, is_new] = tried.try_emplace({one, other});
          if (is_new) entry->second = rules_.united(rules[one], rules[other]);
          if (const double gain = saved(one, other, entry->second); gain > most)
            most = gain, best = entry->first;
        }
      }
      if (most <= 0) break;
      Transformation both = std::move(*tried[best]);
      rules_.extend(both, {});
      is_gone[best.first] = is_gone[best.second] = true;
      rules.push_back(std::move(both));
      is_gone.push_back(false);
    }
    found_ = std::move(rest);
    for (size_t i = 0; i < rules.size(); ++i)
      if (!is_gone[i]) found_.push_back(std::move(rules[i]));
  }

  void shuffle() {
    for (size_t i = pool_.size(); i > 1; --i) std::swap(pool_[i - 1], pool_[random_.below(i)]);
  }

  static std::optional<Transformation> better(std::optional<Transformation> one,
                                              std::optional<Transformation> other) {
    return !one || (other && other->pairs.size() > one->pairs.size()) ? std::move(other) : std::move(one);
  }

  // The best of the rules that begin with the pairs, among a few, that change least: those are more likely to
  // be of one operation.
  std::optional<Transformation> by_rule() {
    std::vector<int64_t> examples(pool_.end() - static_cast<int64_t>(std::min(kExamples, pool_.size())),
                                  pool_.end());
    std::ranges::stable_sort(
        examples, {}, [this](int64_t pair) { return changed_cells(pairs_.x_at(pair), pairs_.y_at(pair)); });
    examples.resize(std::min(kStarts, examples.size()));
    std::optional<Transformation> best;
    for (const int64_t example : examples) {
      best = better(std::move(best), rules_.around(example, pool_));
    }
    return best;
  }

  // What two rules explain one after the other needs no rule of its own.
  void drop_composites() {
    const Operation& newest = found_.back().operation;
    if (!newest.rule() || found_.size() < kFewRules || found_.size() > kMostRules) return;
    const auto leads_there = [&](const Operation& first, const Operation& last, int64_t pair) {
      return last.explains(first.applied(pairs_.x_at(pair)), pairs_.y_at(pair), noise_);
    };
    std::erase_if(pool_, [&](int64_t pair) {
      return std::ranges::any_of(found_, [&](const Transformation& other) {
        return other.operation.rule() &&
               (leads_there(other.operation, newest, pair) || leads_there(newest, other.operation, pair));
      });
    });
  }

  std::vector<int64_t> explained_by(const Operation& operation) const {  // ascending
    std::vector<int64_t> out;
    for (const int64_t pair : pool_)
      if (operation.explains(pairs_.x_at(pair), pairs_.y_at(pair), noise_)) out.push_back(pair);
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
    double saved = -routing.cost - naming_cost(explained.size(), pairs_.size());
    for (const int64_t pair : explained)
      saved += saved_by(routing, pairs_.x_at(pair), pairs_.y_at(pair), pairs_.values());
    if (saved <= kOperation) return {};
    return Transformation{Operation(std::move(routing)), std::move(explained)};
  }

  std::optional<Transformation> by_values(int64_t example) const {
    const auto fit = [this](const std::vector<int64_t>& chosen) { return fit_value_map(pairs_, chosen); };
    std::vector<int64_t> chosen{example};
    Routing routing = fit(chosen);
    if (!Operation(routing).explains(pairs_.x_at(example), pairs_.y_at(example), noise_)) return {};
    // Values that the examples have not shown yet may become anything.
    for (int round = 0; round < kValueRounds; ++round) {
      std::vector<bool> is_known(static_cast<size_t>(pairs_.values()));
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
  int64_t noise_;   // cells of y that may be wrong
  bool may_route_;  // whether it is worth to look for fixed sources
  RngStream& random_;
  RuleConsensus rules_;
  std::vector<Transformation> found_;
  std::vector<int64_t> pool_;  // pairs that are not explained yet
};

// The fewest that explain what all of them do: each pair counts for the transformation that explains the
// most.
std::vector<Transformation> without_superfluous(const PairTable& pairs, int64_t noise,
                                                std::vector<Transformation> all) {
  for (Transformation& one : all) {
    one.pairs.clear();
    for (int64_t pair = 0; pair < pairs.size(); ++pair)
      if (one.operation.explains(pairs.x_at(pair), pairs.y_at(pair), noise)) one.pairs.push_back(pair);
  }
  std::ranges::stable_sort(all, [](auto& a, auto& b) { return a.pairs.size() > b.pairs.size(); });
  std::vector<bool> is_taken(static_cast<size_t>(pairs.size()));
  std::erase_if(all, [&](Transformation& one) {
    double saved = -one.operation.cost();
    size_t fresh = 0;
    for (const int64_t pair : one.pairs) {
      if (is_taken[static_cast<size_t>(pair)]) continue;
      ++fresh;
      saved += saved_by(one.operation, pairs.x_at(pair), pairs.y_at(pair), pairs.values());
    }
    saved -= naming_cost(fresh, pairs.size());
    if (fresh < kLeastPairs || saved <= kOperation) return true;
    for (const int64_t pair : one.pairs) is_taken[static_cast<size_t>(pair)] = true;
    return false;
  });
  return all;
}

}  // namespace

std::vector<Transformation> tell_apart(const PairTable& pairs, int64_t noise, RngStream random) {
  return without_superfluous(pairs, noise, Consensus(pairs, noise, random).run());
}

}  // namespace neo
