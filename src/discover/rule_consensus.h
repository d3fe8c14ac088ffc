#pragma once

#include <optional>

#include "core/rng.h"
#include "discover/rule_learner.h"
#include "discover/transformation.h"

namespace neo {

// Finds rules that pairs have in common, where y is free of noise.
class RuleConsensus {
 public:
  RuleConsensus(const PairTable& pairs, RngStream& random);
  // The rule that an example of the pool shares with others of it: the shortest rule for the example alone,
  // learned again from what that explains. None where it does not pay for itself.
  std::optional<Transformation> around(int64_t example, const std::vector<int64_t>& pool);
  // Takes in pairs in which nothing happens (a step into a wall), then pairs of the pool that the rule gets
  // nearly right (a step that also pushes), as long as that explains more in fewer nats and loses nothing.
  void extend(Transformation& one, const std::vector<int64_t>& pool);
  // Both as one rule where that loses nothing and takes fewer nats than two.
  std::optional<Transformation> united(const Transformation& one, const Transformation& other);

 private:
  struct Found {
    CellRule rule;
    std::vector<int64_t> pairs;  // explained, ascending
    double saved = 0;            // nats
  };
  Found judged(CellRule rule, const std::vector<int64_t>& among) const;
  bool explains(const CellRule& rule, int64_t pair) const;
  Found simplified(Found found, const std::vector<int64_t>& among) const;
  Found refined(Found found, const std::vector<int64_t>& among);
  void extend(Found& found, const std::vector<int64_t>& among, auto&& others);
  std::vector<int64_t> at_rest(const CellRule& rule) const;
  std::vector<int64_t> nearly_explained(const CellRule& rule, const std::vector<int64_t>& among) const;
  std::vector<int64_t> moving(const std::vector<int64_t>& from) const;  // without those at rest
  std::vector<int64_t> sample(const std::vector<int64_t>& from, size_t count);

  const PairTable& pairs_;
  RngStream& random_;
  RuleLearner learner_;
  size_t sample_;                              // pairs that a rule is learned from
  std::vector<CellReader> readers_;            // of every x
  std::vector<std::vector<int32_t>> changed_;  // cells of every pair that change
  std::vector<double> worth_;                  // nats that explaining a pair saves
  std::vector<int64_t> resting_;               // pairs with y = x
};

}  // namespace neo
