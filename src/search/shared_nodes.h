#pragma once

#include <map>
#include <utility>
#include <vector>

#include "rollout/rollout.h"

namespace neo {

// Gives distinct keys the numbers 0, 1, ... in order of appearance.
template <typename Key>
class Numbering {
 public:
  int64_t of(const Key& key) {
    return known_.try_emplace(key, static_cast<int64_t>(known_.size())).first->second;
  }
  int64_t size() const { return static_cast<int64_t>(known_.size()); }

 private:
  std::map<Key, int64_t> known_;
};

// The numbers of the keys; `first` gets the place where each distinct one appears first.
template <typename Key>
std::vector<int64_t> number_distinct(const std::vector<Key>& keys, std::vector<int64_t>& first) {
  Numbering<Key> numbering;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < keys.size(); ++i) {
    numbers.push_back(numbering.of(keys[i]));
    if (numbering.size() > static_cast<int64_t>(first.size())) first.push_back(static_cast<int64_t>(i));
  }
  return numbers;
}

// The distinct observations ("nodes") that the draws of some pairs have reached, each of one pair. With hard
// grounding a node's future depends on nothing else, so draws that meet there share the work from then on.
struct Nodes {
  torch::Tensor observation;  // [U, N]
  std::vector<int64_t> pair;  // [U]
};
Nodes starts(const torch::Tensor& x);  // one per pair

// The programmer's distances to every code [U, Z]. target: encode_target_observation(y) of every pair.
torch::Tensor code_distances(NeoImpl& model, const Nodes& nodes, const torch::Tensor& target);

// One more code for each of some draws.
struct NodeStepResults {
  std::vector<int64_t> node;  // of each draw, among `nodes`
  std::vector<bool> exact;    // it has reached y
  Nodes nodes;
};
using NodeStep = std::pair<int64_t, int64_t>;  // node, code
NodeStepResults run_steps(HardExecutor& executor, const Nodes& nodes, const torch::Tensor& y,
                          const std::vector<NodeStep>& steps);

}  // namespace neo
