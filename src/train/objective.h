#pragma once

#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/rng.h"
#include "rollout/rollout.h"
#include "train/config.h"
#include "train/pairs.h"

namespace neo {

// Where in its schedules a training step stands.
struct StepContext {
  int64_t step = 0;                            // finished before this one
  double temperature = 0.3;                    // tau
  double lambda = 0.95;                        // MDL coefficient
  const std::vector<double>* usage = nullptr;  // [|E|] running share of each code in explanations
  RngStream* random = nullptr;
};

// What a step minimised and what it saw, for the optimiser and for metrics.jsonl.
struct StepResult {
  torch::Tensor loss;                    // [], with gradient
  std::map<std::string, double> losses;  // by name
  std::vector<int64_t> lengths;          // histogram of selected lengths, index 0 is length 1
  std::vector<int64_t> usage;            // how often each code was chosen within the selected lengths
  double solved = 0;                     // share of pairs with an exact explanation
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) = 0;
  // What it remembers from step to step, for checkpoints; most remember nothing.
  virtual void save(std::map<std::string, TensorData>&) const {}
  virtual void load(const std::map<std::string, TensorData>&) {}
  virtual void forget() {}  // a code starts afresh: what it meant before is over
};

// The paper's training step: the programmer proposes K codes, the MDL length k* is chosen per pair (Eq. 5),
// and reconstruction, VQ and grounding losses (Eq. 7) flow from that length.
class RolloutObjective : public Objective {
 public:
  explicit RolloutObjective(const ObjectiveConfig& config) : config_(config) {}
  StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) override;

 private:
  ObjectiveConfig config_;
};

std::unique_ptr<Objective> make_objective(const ObjectiveConfig& config);

// [|E|] what each code adds to the cost of a program (search = cheapest): a price, and at the start of
// training more for codes in frequent use.
torch::Tensor code_prices(const ObjectiveConfig& config, const StepContext& context);

// Mean cross-entropy of the programmer's naming of `codes` [R], going from where it is to `goals`, as
// Programmer::look() and aim() give them.
torch::Tensor naming_cross_entropy(NeoImpl& model, const torch::Tensor& seen, const torch::Tensor& goals,
                                   const torch::Tensor& codes, double temperature);

// Fills in the histogram of lengths and the use of each code.
void count_codes(const Programs& programs, int64_t vocabulary, StepResult& result);

// Grounding distances [B, K] (per-row mean squared difference to the re-encoded hard observation) to one
// number, in the three ways the worlds use:
//   steps     sum over all K steps of the batch mean (GridWorld)
//   length    per row: sum over all K steps / selected length, then the mean (Arithmetic)
//   selected  steps up to the selected length only, total / sum of selected lengths (Imaging)
torch::Tensor grounding_loss(const torch::Tensor& distances, const torch::Tensor& lengths,
                             const std::string& mean);

}  // namespace neo
