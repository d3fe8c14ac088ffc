#include "discover/discover.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace neo {
namespace {
constexpr int64_t kLongest = 3;        // operations in a program, when the vocabulary is judged
constexpr size_t kMostReached = 2000;  // observations to go on from
}  // namespace

int64_t shortest_program(const std::vector<Routing>& vocabulary, std::span<const uint16_t> x,
                         std::span<const uint16_t> y, int64_t longest) {
  using Cells = std::vector<uint16_t>;
  std::vector<Cells> reached{Cells(x.begin(), x.end())};
  std::set<Cells> seen(reached.begin(), reached.end());
  for (int64_t length = 1; length <= longest; ++length) {
    for (const Cells& from : reached)
      for (const Routing& routing : vocabulary)
        if (routing.explains(from, y)) return length;
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
  return 0;
}

Discovery discover(const PairTable& pairs, const PairTable& held_out, uint64_t seed) {
  Discovery found;
  const auto transformations = tell_apart(pairs, RngStream(seed, "discover"));
  found.transformations = static_cast<int64_t>(transformations.size());
  found.vocabulary = factor(pairs, transformations);
  const auto& judged = held_out.size() > 0 ? held_out : pairs;
  double nats = 0, without = 0;
  const double name = std::log(static_cast<double>(found.vocabulary.size()) + 1);
  int64_t explained = 0;
  for (int64_t i = 0; i < judged.size(); ++i) {
    const double baseline = baseline_cost(judged.x_at(i), judged.y_at(i), judged.values);
    const int64_t length = shortest_program(found.vocabulary, judged.x_at(i), judged.y_at(i), kLongest);
    explained += length > 0;
    nats += length > 0 ? static_cast<double>(length + 1) * name : name + baseline;
    without += baseline;
  }
  const auto count = static_cast<double>(std::max<int64_t>(judged.size(), 1));
  double vocabulary = 0;
  for (const Routing& routing : found.vocabulary) vocabulary += routing.cost;
  found.explained = static_cast<double>(explained) / count;
  found.bits = (nats / count + vocabulary / static_cast<double>(std::max<int64_t>(pairs.size(), 1))) / std::numbers::ln2;
  found.baseline_bits = without / count / std::numbers::ln2;
  return found;
}

}  // namespace neo
