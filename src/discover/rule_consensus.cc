#include "discover/rule_consensus.h"

#include <algorithm>

namespace neo {
namespace {

constexpr int64_t kSampledCells = 12000, kLeastSample = 32, kMostSample = 80;  // that a rule is learned from
constexpr size_t kMostResting = 400;  // pairs with y = x that are looked at
constexpr int kRefinements = 4;
constexpr int kAttempts = 10;       // in a row to take another pair in
constexpr size_t kLeastMore = 3;    // pairs that taking one in must explain besides
constexpr size_t kMostNear = 2;     // of the cells that change, one in so many at least must be right
constexpr size_t kMostLost = 200;   // of the pairs of two rules, one in so many may be lost by their union
constexpr size_t kMostMissing = 5;  // the same before those are learned from
constexpr int kCopies = 3;          // as many times the pair to be taken in counts
constexpr int64_t kMostLeaves = 60;
constexpr int64_t kMostFirstLeaves = 16;  // of a rule for one example

// How many of `before` are not in `after`, both ascending.
size_t lost(const std::vector<int64_t>& before, const std::vector<int64_t>& after) {
  std::vector<int64_t> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  return gone.size();
}

std::vector<int64_t> united_sets(const std::vector<int64_t>& one, const std::vector<int64_t>& other) {
  std::vector<int64_t> sorted = other, both;
  std::ranges::sort(sorted);
  std::ranges::set_union(one, sorted, std::back_inserter(both));
  return both;
}

}  // namespace

RuleConsensus::RuleConsensus(const PairTable& pairs, RngStream& random)
    : pairs_(pairs),
      random_(random),
      learner_(pairs),
      sample_(static_cast<size_t>(std::clamp(kSampledCells / pairs.cells(), kLeastSample, kMostSample))) {
  for (int64_t pair = 0; pair < pairs.size(); ++pair) {
    const auto x = pairs.x_at(pair), y = pairs.y_at(pair);
    readers_.emplace_back(pairs.shape, x);
    auto& changed = changed_.emplace_back();
    for (size_t cell = 0; cell < x.size(); ++cell)
      if (x[cell] != y[cell]) changed.push_back(static_cast<int32_t>(cell));
    if (changed.empty()) resting_.push_back(pair);
    worth_.push_back(baseline_cost(x, y, pairs.values()));
  }
  resting_ = sample(resting_, kMostResting);
  std::ranges::sort(resting_);
}

std::optional<Transformation> RuleConsensus::around(int64_t example, const std::vector<int64_t>& pool) {
  const int64_t chosen[] = {example};
  CellRule first = learner_.fit(chosen, kMostFirstLeaves);
  Found found = judged(std::move(first), pool);
  if (found.pairs.size() < kLeastPairs) return {};
  found = simplified(refined(std::move(found), pool), pool);
  if (found.saved <= kOperation) return {};
  return Transformation{Operation(std::move(found.rule)), std::move(found.pairs)};
}

void RuleConsensus::extend(Transformation& one, const std::vector<int64_t>& pool) {
  std::vector<int64_t> among = united_sets(one.pairs, resting_);
  Found found = judged(*one.operation.rule(), among);
  extend(found, among, [&](const CellRule& rule) { return at_rest(rule); });
  among = united_sets(among, pool);
  found = judged(std::move(found.rule), among);
  extend(found, among, [&](const CellRule& rule) { return nearly_explained(rule, pool); });
  one = {Operation(std::move(found.rule)), std::move(found.pairs)};
}

std::optional<Transformation> RuleConsensus::united(const Transformation& one, const Transformation& other) {
  const std::vector<int64_t> first = moving(one.pairs), last = moving(other.pairs);
  const std::vector<int64_t> among = united_sets(first, last);
  std::vector<int64_t> chosen = sample(first, sample_);
  const std::vector<int64_t> more = sample(last, sample_);
  chosen.insert(chosen.end(), more.begin(), more.end());
  for (int round = 0; round < kRefinements; ++round) {
    Found both = judged(learner_.fit(chosen), among);
    if (both.rule.cost >= one.operation.cost() + other.operation.cost()) return {};
    std::vector<int64_t> missing;
    std::ranges::set_difference(among, both.pairs, std::back_inserter(missing));
    if (missing.size() * kMostLost <= among.size())
      return Transformation{Operation(std::move(both.rule)), std::move(both.pairs)};
    if (missing.size() * kMostMissing > among.size()) return {};
    missing = sample(missing, sample_ / 4);
    chosen.insert(chosen.end(), missing.begin(), missing.end());
  }
  return {};
}

std::vector<int64_t> RuleConsensus::moving(const std::vector<int64_t>& from) const {
  std::vector<int64_t> out;
  std::ranges::set_difference(from, resting_, std::back_inserter(out));
  return out;
}

RuleConsensus::Found RuleConsensus::judged(CellRule rule, const std::vector<int64_t>& among) const {
  Found found{std::move(rule), {}, 0};
  found.saved = -found.rule.cost;
  for (const int64_t pair : among) {
    if (!explains(found.rule, pair)) continue;
    found.pairs.push_back(pair);
    found.saved += worth_[static_cast<size_t>(pair)];
  }
  found.saved -= naming_cost(found.pairs.size(), pairs_.size());
  std::ranges::sort(found.pairs);
  return found;
}

// Most rules fail where something changes: those cells come first.
bool RuleConsensus::explains(const CellRule& rule, int64_t pair) const {
  const CellShape& shape = pairs_.shape;
  const auto at = static_cast<size_t>(pair);
  const auto y = pairs_.y_at(pair);
  const auto is_right = [&](int64_t cell) {
    const int64_t place = cell / shape.channels;
    return rule.next(readers_[at], place / shape.columns, place % shape.columns, cell % shape.channels) ==
           y[static_cast<size_t>(cell)];
  };
  for (const int32_t cell : changed_[at])
    if (!is_right(cell)) return false;
  for (int64_t cell = 0; cell < shape.cells(); ++cell)
    if (!is_right(cell)) return false;
  return true;
}

// Without the questions that only fit what the rule began with.
RuleConsensus::Found RuleConsensus::simplified(Found found, const std::vector<int64_t>& among) const {
  for (bool is_better = true; is_better;) {
    is_better = false;
    for (size_t tree = 0; tree < found.rule.trees.size() && !is_better; ++tree)
      for (size_t node = 0; node < found.rule.trees[tree].size() && !is_better; ++node)
        for (const bool take_yes : {false, true}) {
          if (found.rule.trees[tree][node].yes == 0 || is_better) continue;
          CellRule shorter = found.rule.without(tree, node, take_yes);
          shorter.cost = description_length(shorter);
          Found again = judged(std::move(shorter), among);
          is_better = again.saved > found.saved;
          if (is_better) found = std::move(again);
        }
  }
  return found;
}

// Learned again from what it explains, as long as that explains more in fewer nats.
RuleConsensus::Found RuleConsensus::refined(Found found, const std::vector<int64_t>& among) {
  for (int round = 0; round < kRefinements; ++round) {
    Found again = judged(learner_.fit(sample(found.pairs, sample_)), among);
    if (again.saved <= found.saved) break;
    found = std::move(again);
  }
  return found;
}

// `others` says which pairs could be taken in next.
void RuleConsensus::extend(Found& found, const std::vector<int64_t>& among, auto&& others) {
  for (int attempt = 0; attempt < kAttempts && found.rule.leaves() < kMostLeaves;) {
    const std::vector<int64_t> next = others(found.rule);
    if (next.size() < kLeastMore) return;
    std::vector<int64_t> chosen = sample(found.pairs, sample_);
    chosen.insert(chosen.end(), kCopies, next[random_.below(next.size())]);
    Found more = judged(learner_.fit(chosen), among);
    const bool is_better = more.saved > found.saved && more.pairs.size() >= found.pairs.size() + kLeastMore &&
                           lost(found.pairs, more.pairs) == 0;
    attempt = is_better ? 0 : attempt + 1;
    if (is_better) found = refined(std::move(more), among);
  }
}

std::vector<int64_t> RuleConsensus::at_rest(const CellRule& rule) const {
  std::vector<int64_t> moved;
  for (const int64_t pair : resting_)
    if (!explains(rule, pair)) moved.push_back(pair);
  return moved;
}

std::vector<int64_t> RuleConsensus::nearly_explained(const CellRule& rule,
                                                     const std::vector<int64_t>& among) const {
  const Operation operation(rule);
  std::vector<int64_t> near;
  for (const int64_t pair : among) {
    const auto x = pairs_.x_at(pair), y = pairs_.y_at(pair);
    const auto wrong = static_cast<size_t>(operation.wrong_cells(x, y));
    if (wrong > 0 && wrong * kMostNear <= static_cast<size_t>(changed_cells(x, y))) near.push_back(pair);
  }
  return near;
}

std::vector<int64_t> RuleConsensus::sample(const std::vector<int64_t>& from, size_t count) {
  std::vector<int64_t> out = from;
  for (size_t i = 0; i < std::min(count, out.size()); ++i)
    std::swap(out[i], out[i + random_.below(out.size() - i)]);
  out.resize(std::min(count, out.size()));
  return out;
}

}  // namespace neo
