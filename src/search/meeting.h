#pragma once

#include <map>
#include <utility>
#include <vector>

#include "rollout/rollout.h"

namespace neo {

// Numbers of the keys, 0, 1, ... in order of first appearance; `first` gets the place of each.
template <typename Key>
std::vector<int64_t> number_distinct(const std::vector<Key>& keys, std::vector<int64_t>& first) {
  std::map<Key, int64_t> known;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto [entry, is_new] = known.try_emplace(keys[i], static_cast<int64_t>(first.size()));
    if (is_new) first.push_back(static_cast<int64_t>(i));
    numbers.push_back(entry->second);
  }
  return numbers;
}

// What the draws of some pairs have reached: distinct observations ("nodes"), each of one pair. With hard
// grounding a node's future depends on nothing else, so draws that meet there share the work from then on.
struct Nodes {
  torch::Tensor observation;  // uint8 [U, N]
  std::vector<int64_t> pair;  // [U]
};
Nodes starts(const torch::Tensor& x);  // one per pair

// The programmer's distances to every code [U, Z]. target: aim_at(y) of every pair.
torch::Tensor code_distances(NeoImpl& model, const Nodes& nodes, const torch::Tensor& target);

// One more code for each of some draws.
struct Moved {
  std::vector<int64_t> node;  // of each draw, among `nodes`
  std::vector<bool> exact;    // it has reached y
  Nodes nodes;
};
using Move = std::pair<int64_t, int64_t>;  // node, code
Moved run_moves(HardExecutor& executor, const Nodes& nodes, const torch::Tensor& y,
                const std::vector<Move>& moves);

}  // namespace neo
