#include "search/shared_nodes.h"

#include <numeric>
#include <string>

#include "observe/tensors.h"

namespace neo {
namespace {
torch::Tensor index(const std::vector<int64_t>& v) { return torch::tensor(v, torch::kLong); }
}  // namespace

Nodes starts(const torch::Tensor& x) {
  Nodes nodes{x.contiguous(), std::vector<int64_t>(static_cast<size_t>(x.size(0)))};
  std::iota(nodes.pair.begin(), nodes.pair.end(), 0);
  return nodes;
}

torch::Tensor code_distances(NeoImpl& model, const Nodes& nodes, const torch::Tensor& target) {
  auto& programmer = model.programmer();
  return model.quantizer().distances(
      programmer.propose(programmer.encode_state_observation(model.observation(), nodes.observation),
                         target.index_select(0, index(nodes.pair))));
}

NodeStepResults run_steps(HardExecutor& executor, const Nodes& nodes, const torch::Tensor& y,
                          const std::vector<NodeStep>& steps) {
  std::vector<int64_t> first, from, code, owner;
  const auto call = number_distinct(steps, first);  // equal steps are one executor call
  for (int64_t i : first) {
    from.push_back(steps[static_cast<size_t>(i)].first);
    code.push_back(steps[static_cast<size_t>(i)].second);
    owner.push_back(nodes.pair[static_cast<size_t>(from.back())]);
  }
  const Reading reading =
      executor.step({nodes.observation, y.index_select(0, index(nodes.pair)), index(from), index(code), {}});
  const auto hard = reading.hard.contiguous();
  std::vector<std::pair<int64_t, std::string>> reached;
  for (size_t c = 0; c < from.size(); ++c) {
    const ObservationView bytes = row_bytes(hard, static_cast<int64_t>(c));
    reached.emplace_back(owner[c], std::string(bytes.begin(), bytes.end()));
  }
  std::vector<int64_t> distinct;
  const auto node = number_distinct(reached, distinct);

  NodeStepResults results;
  for (int64_t c : call) {
    results.node.push_back(node[static_cast<size_t>(c)]);
    results.exact.push_back(reading.exact.data_ptr<bool>()[c]);
  }
  results.nodes.observation = hard.index_select(0, index(distinct));
  for (int64_t d : distinct) results.nodes.pair.push_back(owner[static_cast<size_t>(d)]);
  return results;
}

}  // namespace neo
