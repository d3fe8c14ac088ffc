#include "discover/discover.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace neo {
namespace {
constexpr int64_t kLongest = 3;     // operations in a program, when the vocabulary is judged
constexpr double kExplained = 0.5;  // share of the pairs below which noise is suspected
constexpr double kLeastMemorised =
    0.1;  // share of the pairs that transformations must explain to be worth factoring
constexpr size_t kMostOperations = 64;  // so many are no theory
constexpr uint64_t kNoisyStarts = 3;
constexpr double kNoiseShare = 0.15;  // of the cells, at most
// Of the pairs that a theory explains, and of the bits that are left of those without it.
constexpr double kEnough = 0.5, kMostBits = 0.6;
// Nats of one pair: the program and its wrong cells, or the pair without a theory.
double pair_cost(const PairTable& pairs, int64_t pair, const ShortestProgram& program, size_t codes) {
  const double name = std::log(static_cast<double>(codes) + 1);
  if (program.operations.empty())
    return name + baseline_cost(pairs.x_at(pair), pairs.y_at(pair), pairs.values());
  const double wrong_cell = std::log(static_cast<double>(pairs.cells() * pairs.values()));
  return static_cast<double>(program.operations.size() + 1) * name +
         static_cast<double>(program.wrong) * wrong_cell;
}

void judge(const PairTable& pairs, int64_t learned_from, Discovery& found) {
  double nats = 0, without = 0, vocabulary = 0;
  int64_t explained = 0;
  for (int64_t i = 0; i < pairs.size(); ++i) {
    const auto program =
        shortest_program(found.vocabulary, pairs.x_at(i), pairs.y_at(i), kLongest, found.noise);
    explained += !program.operations.empty();
    nats += pair_cost(pairs, i, program, found.vocabulary.size());
    without += baseline_cost(pairs.x_at(i), pairs.y_at(i), pairs.values());
  }
  const auto count = static_cast<double>(std::max<int64_t>(pairs.size(), 1));
  for (const Operation& operation : found.vocabulary) vocabulary += operation.cost();
  found.explained = static_cast<double>(explained) / count;
  found.bits = (nats / count + vocabulary / static_cast<double>(std::max<int64_t>(learned_from, 1))) /
               std::numbers::ln2;
  found.baseline_bits = without / count / std::numbers::ln2;
}

// With up to `noise` wrong cells in every y.
std::vector<Operation> find_vocabulary(const PairTable& pairs, int64_t noise, uint64_t seed) {
  const auto transformations = tell_apart(pairs, noise, RngStream(seed, "discover"));
  std::set<int64_t> explained;
  for (const Transformation& one : transformations) explained.insert(one.pairs.begin(), one.pairs.end());
  if (static_cast<double>(explained.size()) < kLeastMemorised * static_cast<double>(pairs.size())) return {};
  std::vector<Transformation> routings, rules;
  for (const Transformation& one : transformations)
    (one.operation.routing() ? routings : rules).push_back(one);
  std::vector<Operation> vocabulary = factor(pairs, routings);
  for (Transformation& rule : rules) vocabulary.push_back(std::move(rule.operation));
  if (vocabulary.size() > kMostOperations) return {};
  return select(pairs, noise, std::move(vocabulary));
}

Discovery discover_within(int64_t noise, const PairTable& pairs, const PairTable& judged, uint64_t seed) {
  Discovery found;
  found.noise = noise;
  found.vocabulary = find_vocabulary(pairs, noise, seed);
  judge(judged, pairs.size(), found);
  return found;
}

}  // namespace

bool Discovery::is_theory() const {
  return !vocabulary.empty() && explained >= kEnough && bits <= kMostBits * baseline_bits;
}

Discovery discover(const PairTable& pairs, const PairTable& held_out, uint64_t seed) {
  const PairTable& judged = held_out.size() > 0 ? held_out : pairs;
  Discovery found = discover_within(0, pairs, judged, seed);
  const auto noise = static_cast<int64_t>(kNoiseShare * static_cast<double>(pairs.cells()));
  if (found.explained >= kExplained || noise == 0) return found;
  // Where little is certain, much depends on which pairs are looked at first.
  for (uint64_t start = 0; start < kNoisyStarts; ++start) {
    Discovery noisy = discover_within(noise, pairs, judged, seed + (start << 32));
    if (noisy.vocabulary.empty()) break;
    if (noisy.bits < found.bits) found = std::move(noisy);
  }
  return found;
}

}  // namespace neo
