#include "discover/discover.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace neo {
namespace {
constexpr int64_t kLongest = 3;        // operations in a program, when the vocabulary is judged
constexpr size_t kMostReached = 2000;  // observations to go on from
constexpr double kExplained = 0.5;     // share of the pairs below which noise is suspected
constexpr double kLeastMemorised = 0.1;  // share of the pairs that transformations must explain to be worth factoring
constexpr double kNoiseShare = 0.15;   // of the cells, at most
// Of the pairs that a theory explains, and of the bits that are left of those without it.
constexpr double kEnough = 0.8, kMostBits = 0.6;
}  // namespace

ShortestProgram shortest_program(const std::vector<Routing>& vocabulary, std::span<const uint16_t> x,
                                 std::span<const uint16_t> y, int64_t longest, int64_t noise) {
  using Cells = std::vector<uint16_t>;
  std::vector<Cells> reached{Cells(x.begin(), x.end())};
  std::set<Cells> seen(reached.begin(), reached.end());
  for (int64_t length = 1; length <= longest; ++length) {
    for (const Cells& from : reached)
      for (const Routing& routing : vocabulary)
        if (routing.explains(from, y, noise)) return {length, routing.wrong_cells(from, y)};
    std::vector<Cells> next;
    for (const Cells& from : reached) {
      for (const Routing& routing : vocabulary) {
        Cells to(from.size());
        routing.apply(from, to);
        if (next.size() < kMostReached && seen.insert(to).second) next.push_back(std::move(to));
      }
    }
    reached = std::move(next);
  }
  return {};
}

namespace {

void judge(const PairTable& pairs, int64_t learned_from, Discovery& found) {
  const double name = std::log(static_cast<double>(found.vocabulary.size()) + 1);
  const double wrong_cell = std::log(static_cast<double>(pairs.cells() * pairs.values));
  double nats = 0, without = 0, vocabulary = 0;
  int64_t explained = 0;
  for (int64_t i = 0; i < pairs.size(); ++i) {
    const double baseline = baseline_cost(pairs.x_at(i), pairs.y_at(i), pairs.values);
    const auto [length, wrong] =
        shortest_program(found.vocabulary, pairs.x_at(i), pairs.y_at(i), kLongest, found.noise);
    explained += length > 0;
    nats += length > 0 ? static_cast<double>(length + 1) * name + static_cast<double>(wrong) * wrong_cell
                       : name + baseline;
    without += baseline;
  }
  const auto count = static_cast<double>(std::max<int64_t>(pairs.size(), 1));
  for (const Routing& routing : found.vocabulary) vocabulary += routing.cost;
  found.explained = static_cast<double>(explained) / count;
  found.bits = (nats / count + vocabulary / static_cast<double>(std::max<int64_t>(learned_from, 1))) / std::numbers::ln2;
  found.baseline_bits = without / count / std::numbers::ln2;
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

std::vector<Routing> find_vocabulary(const PairTable& pairs, int64_t noise, uint64_t seed) {
  const auto transformations = tell_apart(pairs, noise, RngStream(seed, "discover"));
  std::set<int64_t> explained;
  for (const Transformation& one : transformations) explained.insert(one.pairs.begin(), one.pairs.end());
  if (static_cast<double>(explained.size()) < kLeastMemorised * static_cast<double>(pairs.size())) return {};
  return factor(pairs, transformations);
}

Discovery discover(const PairTable& pairs, const PairTable& held_out, uint64_t seed) {
  const PairTable& judged = held_out.size() > 0 ? held_out : pairs;
  Discovery found = discover_within(0, pairs, judged, seed);
  const auto noise = static_cast<int64_t>(kNoiseShare * static_cast<double>(pairs.cells()));
  if (found.explained >= kExplained || noise == 0) return found;
  Discovery noisy = discover_within(noise, pairs, judged, seed);
  return noisy.bits < found.bits ? noisy : found;
}

}  // namespace neo
