#include "discover/rule_learner.h"

#include <algorithm>
#include <cmath>

namespace neo {
namespace {

constexpr double kAsIfPairs = 8;  // fewer pairs count as if there were so many
constexpr int64_t kSmall = 128;   // places; observations up to that are taken whole
constexpr int64_t kAround = 2;    // of large ones, what is so near to a change,
constexpr int64_t kSpacing = 61;  // and one place in so many of the others
constexpr int kRounds = 4;        // of adding cells that the rule got wrong
constexpr size_t kMostAdded = 400;
constexpr int64_t kMostMapped = 2048;  // values
constexpr double kNever = 1e300;       // nats

// log(n), which growing a tree asks for all the time.
double log_of(int64_t n) {
  static const std::vector<double> known = [] {
    std::vector<double> logs(1 << 16);
    for (size_t i = 1; i < logs.size(); ++i) logs[i] = std::log(static_cast<double>(i));
    return logs;
  }();
  return static_cast<size_t>(n) < known.size() ? known[static_cast<size_t>(n)]
                                               : std::log(static_cast<double>(n));
}

// Grows one tree from what the items say.
class Tree {
 public:
  // `weight`: how often each wrong cell counts.
  Tree(const RuleEvidence& evidence, const CellShape& shape, double weight, size_t most_nodes)
      : evidence_(evidence), shape_(shape), weight_(weight), most_nodes_(most_nodes), nodes_(1) {
    grow(0, evidence.all());
  }
  std::vector<CellRule::Node> take() { return std::move(nodes_); }

 private:
  struct Leaf {
    double cost = kNever;
    int64_t wrong = 0;
    CellSource source;
  };

  // Nats of saying which of n cells are wrong, and what they hold.
  double wrong_cost(int64_t n, int64_t wrong) const {
    if (wrong == 0) return 0;
    return weight_ * static_cast<double>(wrong) * (log_of(n) - log_of(wrong) + 1 + log_of(shape_.values + 1));
  }

  void grow(size_t node, const Bits& here) {
    const Leaf leaf = best_leaf(here);
    const size_t test = leaf.wrong > 0 && nodes_.size() + 2 <= most_nodes_ ? best_test(here, leaf.cost)
                                                                           : evidence_.tests.size();
    if (test == evidence_.tests.size()) {
      nodes_[node].source = leaf.source;
      return;
    }
    Bits yes = here, no = here;
    for (size_t word = 0; word < here.size(); ++word) {
      yes[word] &= evidence_.answers[test][word];
      no[word] &= ~evidence_.answers[test][word];
    }
    const size_t first = nodes_.size();
    nodes_.resize(first + 2);
    nodes_[node].test = evidence_.tests[test];
    nodes_[node].yes = static_cast<int32_t>(first);
    nodes_[node].no = static_cast<int32_t>(first + 1);
    grow(first, yes);
    grow(first + 1, no);
  }

  Leaf best_leaf(const Bits& here) const {
    const int64_t n = count(here);
    Leaf best;
    for (size_t s = 0; s < evidence_.sources.size(); ++s) {
      const int64_t wrong = n - count_both(here, evidence_.agrees[s]);
      const double cost = evidence_.source_costs[s] + wrong_cost(n, wrong);
      if (cost < best.cost) best = {cost, wrong, evidence_.sources[s]};
    }
    if (best.wrong == 0 || shape_.values > kMostMapped) return best;
    Leaf map = mapped(here, n);
    return map.cost < best.cost ? map : best;
  }

  // A translation of the cell's own value, by what became of it most often.
  Leaf mapped(const Bits& here, int64_t n) const {
    const auto values = static_cast<size_t>(shape_.values);
    std::vector<int32_t> met(values * values);
    for (size_t item = 0; item < evidence_.own.size(); ++item)
      if (here[item / 64] >> (item % 64) & 1) ++met[evidence_.own[item] * values + evidence_.wanted[item]];
    Leaf leaf{0, n, {CellSource::Kind::mapped, {}, 0, {}}};
    for (size_t value = 0; value < values; ++value) {
      const int32_t* line = met.data() + value * values;
      const auto most = static_cast<size_t>(std::max_element(line, line + values) - line);
      leaf.source.map.push_back(static_cast<uint16_t>(line[most] > line[value] ? most : value));
      leaf.wrong -= line[most];
    }
    leaf.cost = cost_of(leaf.source, shape_) + wrong_cost(n, leaf.wrong);
    return leaf;
  }

  // The question after which two leaves take least, if that is less than `least`; else how many there are.
  size_t best_test(const Bits& here, double least) const {
    const int64_t n = count(here);
    std::vector<int64_t> right;  // of each source
    for (const Bits& agrees : evidence_.agrees) right.push_back(count_both(here, agrees));
    size_t best = evidence_.tests.size();
    Bits yes(here.size());
    for (size_t t = 0; t < evidence_.tests.size(); ++t) {
      if (evidence_.test_costs[t] >= least) continue;
      for (size_t word = 0; word < here.size(); ++word) yes[word] = here[word] & evidence_.answers[t][word];
      const int64_t with = count(yes);
      if (with == 0 || with == n) continue;
      const double cost = evidence_.test_costs[t] + cost_of_answers(yes, with, n, right);
      if (cost < least) least = cost, best = t;
    }
    return best;
  }

  // Of the best leaf for the `with` items of `yes`, and of that for the other ones of n.
  double cost_of_answers(const Bits& yes, int64_t with, int64_t n, const std::vector<int64_t>& right) const {
    double least_yes = kNever, least_no = kNever;
    for (size_t s = 0; s < evidence_.sources.size(); ++s) {
      const int64_t right_yes = count_both(yes, evidence_.agrees[s]), right_no = right[s] - right_yes;
      const double source = evidence_.source_costs[s];
      least_yes = std::min(least_yes, source + wrong_cost(with, with - right_yes));
      least_no = std::min(least_no, source + wrong_cost(n - with, n - with - right_no));
    }
    return least_yes + least_no;
  }

  const RuleEvidence& evidence_;
  const CellShape& shape_;
  double weight_;
  size_t most_nodes_;
  std::vector<CellRule::Node> nodes_;
};

}  // namespace

RuleLearner::RuleLearner(const PairTable& pairs)
    : pairs_(pairs), places_(places_of(pairs.shape)), counts_(counts_of(pairs.shape)) {}

CellRule RuleLearner::fit(std::span<const int64_t> chosen, int64_t most_leaves) const {
  CellRule rule{pairs_.shape, {}};
  for (int64_t channel = 0; channel < pairs_.shape.channels; ++channel)
    rule.trees.push_back(tree_for(chosen, channel, static_cast<size_t>(2 * most_leaves - 1)));
  rule.cost = description_length(rule);
  return rule;
}

std::vector<CellRule::Node> RuleLearner::tree_for(std::span<const int64_t> chosen, int64_t channel,
                                                  size_t most_nodes) const {
  std::vector<Item> items = first_items(chosen, channel);
  const double weight = std::max(1.0, kAsIfPairs / static_cast<double>(chosen.size()));
  for (int round = 0;; ++round) {
    const RuleEvidence evidence(pairs_, places_, counts_, items, channel);
    auto nodes = Tree(evidence, pairs_.shape, weight, most_nodes).take();
    const auto wrong = round < kRounds ? wrong_items(chosen, channel, nodes) : std::vector<Item>{};
    if (wrong.empty()) return nodes;
    items.insert(items.end(), wrong.begin(), wrong.end());
  }
}

// Small observations whole; of large ones what changed, what is around that, and a sample of the rest.
std::vector<Item> RuleLearner::first_items(std::span<const int64_t> chosen, int64_t channel) const {
  const CellShape& shape = pairs_.shape;
  const int64_t places = shape.rows * shape.columns;
  std::vector<Item> items;
  for (const int64_t pair : chosen) {
    const auto x = pairs_.x_at(pair), y = pairs_.y_at(pair);
    std::vector<bool> is_near(static_cast<size_t>(places), places <= kSmall);
    for (int64_t place = 0; place < places && places > kSmall; ++place) {
      const auto cell = static_cast<size_t>(place * shape.channels + channel);
      if (x[cell] == y[cell]) continue;
      const int64_t row = place / shape.columns, column = place % shape.columns;
      for (int64_t r = std::max<int64_t>(0, row - kAround); r <= std::min(shape.rows - 1, row + kAround); ++r)
        for (int64_t c = std::max<int64_t>(0, column - kAround);
             c <= std::min(shape.columns - 1, column + kAround); ++c)
          is_near[static_cast<size_t>(r * shape.columns + c)] = true;
    }
    for (int64_t place = 0; place < places; ++place)
      if (is_near[static_cast<size_t>(place)] || (place + pair) % kSpacing == 0)
        items.push_back({pair, place});
  }
  return items;
}

// Of large observations, where others than the first items are wrong.
std::vector<Item> RuleLearner::wrong_items(std::span<const int64_t> chosen, int64_t channel,
                                           const std::vector<CellRule::Node>& tree) const {
  const CellShape& shape = pairs_.shape;
  std::vector<Item> wrong;
  if (shape.rows * shape.columns <= kSmall) return wrong;
  CellRule rule{shape, {}};
  rule.trees.assign(static_cast<size_t>(shape.channels), tree);
  for (const int64_t pair : chosen) {
    const CellReader reader(shape, pairs_.x_at(pair));
    const auto y = pairs_.y_at(pair);
    for (int64_t place = 0; place < shape.rows * shape.columns && wrong.size() < kMostAdded; ++place)
      if (rule.next(reader, place / shape.columns, place % shape.columns, channel) !=
          y[static_cast<size_t>(place * shape.channels + channel)])
        wrong.push_back({pair, place});
  }
  return wrong;
}

}  // namespace neo
