#pragma once

#include "discover/rule_evidence.h"

namespace neo {

// Finds the shortest rule for every cell that agrees with pairs: a decision tree grown from the question that
// saves most nats, where what a leaf gets wrong must be written down cell by cell.
class RuleLearner {
 public:
  explicit RuleLearner(const PairTable& pairs);
  // The rule behind the chosen pairs. Few of them count as if there were more: a handful of cells must be
  // able to pay for a question. A tree that has as many leaves as may be is left as it is.
  CellRule fit(std::span<const int64_t> chosen, int64_t most_leaves = 80) const;

 private:
  std::vector<Item> first_items(std::span<const int64_t> chosen, int64_t channel) const;
  std::vector<Item> wrong_items(std::span<const int64_t> chosen, int64_t channel,
                                const std::vector<CellRule::Node>& tree) const;
  std::vector<CellRule::Node> tree_for(std::span<const int64_t> chosen, int64_t channel,
                                       size_t most_nodes) const;

  const PairTable& pairs_;
  std::vector<Place> places_;
  std::vector<CellTest> counts_;
};

}  // namespace neo
