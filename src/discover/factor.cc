#include "discover/factor.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace neo {
namespace {

constexpr size_t kExamplesOfEach = 16;  // pairs of each transformation that stand for it
constexpr size_t kMostDifferences = 400;
constexpr size_t kMostFitted = 24;  // transformations, the most frequent, whose differences must be fitted
constexpr size_t kFewCandidates = 100, kStartsOfFew = 24, kStartsOfMany = 6;

using Cells = std::vector<uint16_t>;

// Examples of one transformation: inputs that occur, and what it makes of them, without their noise.
PairTable examples_of(const PairTable& pairs, const Transformation& one) {
  PairTable examples = pairs.empty_like();
  for (size_t i = 0; i < std::min(kExamplesOfEach, one.pairs.size()); ++i) {
    const auto x = pairs.x_at(one.pairs[i]);
    examples.add(x, one.operation.applied(x));
  }
  return examples;
}

bool explains_all(const Operation& operation, const PairTable& examples) {
  for (int64_t i = 0; i < examples.size(); ++i)
    if (!operation.explains(examples.x_at(i), examples.y_at(i), /*noise=*/0)) return false;
  return true;
}

// Candidates for the vocabulary, the most frequent first.
class Candidates {
 public:
  void add(const Routing& routing) { ++count_[{routing.sources, routing.constants, routing.map}]; }
  std::vector<Routing> most_frequent() const {
    std::vector<std::pair<int64_t, Routing>> order;
    for (const auto& [key, count] : count_)
      if (count > 1) order.push_back({count, {std::get<0>(key), std::get<1>(key), std::get<2>(key)}});
    std::ranges::stable_sort(order, [](auto& a, auto& b) { return a.first > b.first; });
    std::vector<Routing> out;
    for (size_t i = 0; i < std::min(kMostDifferences, order.size()); ++i)
      out.push_back(std::move(order[i].second));
    return out;
  }

 private:
  std::map<std::tuple<std::vector<int32_t>, std::vector<uint16_t>, std::vector<uint16_t>>, int64_t> count_;
};

// What must follow `known`, and what must precede it, to give `other`. Where `known` cannot be undone, what
// follows is fitted to examples of the other, from known(x) to y.
void add_differences(const Routing& known, const Routing& other, const PairTable& examples,
                     Candidates& candidates) {
  if (known.is_permutation()) {
    const Routing undo = known.inverse();
    candidates.add(composed(undo, other));
    candidates.add(composed(other, undo));
    return;
  }
  PairTable after = examples.empty_like();
  for (int64_t i = 0; i < examples.size(); ++i)
    after.add(Operation(known).applied(examples.x_at(i)), examples.y_at(i));
  std::vector<int64_t> all(static_cast<size_t>(after.size()));
  std::iota(all.begin(), all.end(), int64_t{0});
  const Routing routing = RoutingBelief(after, all).most_likely();
  if (explains_all(Operation(routing), after)) candidates.add(routing);
}

// Chooses among candidates by what they cost and what they can say.
class Choice {
 public:
  Choice(std::vector<Operation> candidates, const std::vector<PairTable>& examples)
      : candidates_(std::move(candidates)),
        one_(examples.size()),
        two_(examples.size()),
        is_in_(candidates_.size(), false) {
    for (size_t t = 0; t < examples.size(); ++t) find_programs(examples[t], t);
    search();
  }
  std::vector<Operation> chosen() const {
    std::vector<Operation> out;
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (is_in_[i]) out.push_back(candidates_[i]);
    return out;
  }

 private:
  void find_programs(const PairTable& examples, size_t t) {
    const auto leads_there = [&](size_t first, size_t last) {
      for (int64_t i = 0; i < examples.size(); ++i)
        if (!candidates_[last].explains(candidates_[first].applied(examples.x_at(i)), examples.y_at(i), 0))
          return false;
      return true;
    };
    for (size_t a = 0; a < candidates_.size(); ++a) {
      if (explains_all(candidates_[a], examples)) one_[t].push_back(a);
      const Cells reached = candidates_[a].applied(examples.x_at(0));
      for (size_t b = 0; b < candidates_.size(); ++b)
        if (candidates_[b].explains(reached, examples.y_at(0), 0) && leads_there(a, b))
          two_[t].emplace_back(a, b);
    }
  }
  double cost_of(size_t t) const {
    for (const size_t a : one_[t])
      if (is_in_[a]) return kStep;
    for (const auto& [a, b] : two_[t])
      if (is_in_[a] && is_in_[b]) return 2 * kStep;
    return kUnsaid;
  }
  double cost() const {
    double sum = kOperation * static_cast<double>(std::ranges::count(is_in_, true));
    for (size_t t = 0; t < one_.size(); ++t) sum += cost_of(t);
    return sum;
  }
  double cost_with(size_t i, bool is_in) {
    const bool was = is_in_[i];
    is_in_[i] = is_in;
    const double sum = cost();
    is_in_[i] = was;
    return sum;
  }
  // Local search from several starts: from nothing, and from everything, in a new order of elimination each
  // time.
  void search() {
    std::vector<bool> best;
    double least = std::numeric_limits<double>::infinity();
    const size_t starts = candidates_.size() < kFewCandidates ? kStartsOfFew : kStartsOfMany;
    for (size_t start = 0; start < starts; ++start) {
      is_in_.assign(candidates_.size(), start > 0);
      settle(/*noise=*/start < 2 ? 0.0 : 1.0);
      if (cost_ < least) least = cost_, best = is_in_;
    }
    is_in_ = best;
  }
  // To a choice that no single change makes cheaper.
  void settle(double noise) {
    cost_ = cost();
    shrink(noise);
    grow();
    for (double before = cost_ + 1; cost_ < before;) {
      before = cost_;
      exchange();
      shrink(noise);
    }
  }
  // How many programs of two need it.
  std::vector<int64_t> uses() const {
    std::vector<int64_t> count(candidates_.size());
    for (const auto& programs : two_)
      for (const auto& [a, b] : programs)
        if (is_in_[a] && is_in_[b]) ++count[a], ++count[b];
    return count;
  }
  void exchange() {
    for (size_t out = 0; out < candidates_.size(); ++out) {
      if (!is_in_[out]) continue;
      is_in_[out] = false;
      size_t best = out;
      double least = cost_;
      for (size_t in = 0; in < candidates_.size(); ++in) {
        if (is_in_[in] || in == out) continue;
        if (const double sum = cost_with(in, true); sum < least) least = sum, best = in;
      }
      is_in_[best] = true;
      cost_ = least;
    }
  }
  void grow() {
    for (;;) {
      size_t best = candidates_.size();
      double least = cost_;
      for (size_t i = 0; i < candidates_.size(); ++i) {
        if (is_in_[i]) continue;
        if (const double sum = cost_with(i, true); sum < least) least = sum, best = i;
      }
      if (best == candidates_.size()) return;
      is_in_[best] = true;
      cost_ = least;
    }
  }
  // Takes out what is needed least, as long as that pays.
  void shrink(double noise) {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      std::vector<double> need;
      for (const int64_t count : uses())
        need.push_back(static_cast<double>(count) * (1 + noise * random_.uniform()));
      std::vector<size_t> order(candidates_.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::ranges::stable_sort(order, [&](size_t a, size_t b) { return need[a] < need[b]; });
      for (const size_t i : order) {
        if (!is_in_[i]) continue;
        const double sum = cost_with(i, false);
        if (sum > cost_) continue;
        is_in_[i] = false;
        cost_ = sum;
        is_changed = true;
        break;
      }
    }
  }

  std::vector<Operation> candidates_;
  std::vector<std::vector<size_t>> one_;                     // [T] candidates that say it alone
  std::vector<std::vector<std::pair<size_t, size_t>>> two_;  // [T] first and last that say it together
  std::vector<bool> is_in_;
  double cost_ = 0;
  RngStream random_{0, "factor"};
};

}  // namespace

std::vector<Operation> factor(const PairTable& pairs, const std::vector<Transformation>& transformations) {
  std::vector<PairTable> examples;
  std::vector<Operation> candidates;
  for (const Transformation& one : transformations) {
    examples.push_back(examples_of(pairs, one));
    candidates.push_back(one.operation);
  }
  Candidates differences;
  for (size_t one = 0; one < transformations.size(); ++one) {
    const Routing* known = transformations[one].operation.routing();
    if (!known) continue;
    const bool is_permutation = known->is_permutation();
    if (!is_permutation && one >= kMostFitted) continue;
    const size_t others = is_permutation ? examples.size() : std::min(kMostFitted, examples.size());
    for (size_t other = 0; other < others; ++other)
      if (const Routing* routing = transformations[other].operation.routing())
        add_differences(*known, *routing, examples[other], differences);
  }
  const Operation same(identity_routing(pairs));
  for (Routing& routing : differences.most_frequent())
    if (Operation operation(std::move(routing));
        operation != same && std::ranges::find(candidates, operation) == candidates.end())
      candidates.push_back(std::move(operation));
  return Choice(std::move(candidates), examples).chosen();
}

}  // namespace neo
