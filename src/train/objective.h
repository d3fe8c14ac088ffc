#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/rng.h"
#include "rollout/rollout.h"
#include "train/batches.h"
#include "train/config.h"
#include "train/edit.h"

namespace neo {

// The position of a training step in its schedule.
struct StepContext {
  int64_t step = 0;                            // finished before this one, as scheduled
  int64_t total = 0;                           // of the whole schedule
  const std::vector<double>* usage = nullptr;  // [|E|] running share of each code in explanations
  RngStream* random = nullptr;
};

// The result of a step: the loss for the optimiser, edits for the trainer, and statistics for metrics.jsonl.
struct StepResult {
  torch::Tensor loss;                    // [], with gradient
  std::vector<Edit> edits = {};          // to be made after the optimiser's step
  std::map<std::string, double> losses;  // by name
  std::vector<int64_t> lengths;          // histogram of selected lengths, index 0 is length 1
  std::vector<int64_t> usage;            // how often each code was chosen within the selected lengths
  double solved = 0;                     // share of pairs that are explained
};

// Reads the model and changes nothing in it: what it wants changed is in the result, and what averaged codebooks
// have seen waits for Bottleneck::commit(), which the trainer calls after the optimiser's step.
class Objective {
 public:
  virtual ~Objective() = default;
  virtual StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) = 0;
  virtual int64_t longest_program() const = 0;           // that an explanation may have
  virtual int64_t wake_steps() const { return 0; }       // of a schedule of two phases; 0: of one
  // What it remembers from step to step, for checkpoints; most remember nothing.
  virtual void save(std::map<std::string, TensorData>&) const {}
  virtual void load(const std::map<std::string, TensorData>&) {}
  virtual void edited(const Edit&) {}  // called after each edit; drop cached state
};

// One line per objective.
std::unique_ptr<Objective> make_objective(const TrainConfig& config);

// The paper's training step: the programmer proposes K codes, the MDL length k* is chosen per pair (Eq. 5),
// and reconstruction, VQ and grounding losses (Eq. 7) flow from that length.
class RolloutObjective : public Objective {
 public:
  explicit RolloutObjective(const RolloutConfig& config) : config_(config) {}
  StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) override;
  int64_t longest_program() const override { return config_.steps; }

 private:
  RolloutConfig config_;
};

// [|E|] what each code adds to the cost of a program: a price, and at the start of training more for frequent
// codes.
torch::Tensor code_prices(const PriceConfig& config, const StepContext& context);

// Mean cross-entropy of the programmer's proposals for `codes` [R], going from `states` to `targets`, as
// Programmer::encode_state() and encode_target() give them.
torch::Tensor programmer_cross_entropy(NeoImpl& model, const torch::Tensor& states, const torch::Tensor& targets,
                                       const torch::Tensor& codes, double temperature);

// Fills in the histogram of lengths and the use of each code.
void count_codes(const Programs& programs, int64_t vocabulary, StepResult& result);

// Grounding distances [B, K] (per-row mean squared difference to the re-encoded hard observation) to one
// number:
//   steps     sum over all K steps of the batch mean
//   length    per row: sum over all K steps / selected length, then the mean
//   selected  steps up to the selected length only, total / sum of selected lengths
torch::Tensor grounding_loss(const torch::Tensor& distances, const torch::Tensor& lengths,
                             const std::string& mean);

}  // namespace neo
