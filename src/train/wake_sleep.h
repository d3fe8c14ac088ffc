#pragma once

#include "train/objective.h"

namespace neo {

// Search proposes, the programmer learns to need less of it (expert iteration), and dreams teach it programs
// that no pair shows (wake-sleep). Per step:
//   explain  each pair by the better of the programmer's sampled program and a beam search, both from hard
//            observations; the MDL rule chooses length and winner (Eq. 5)
//   wake     executor and codes: reconstruct y through the chosen program, states grounded after every step
//            (straight-through), so gradients reach all its steps; programmer: imitate the chosen codes
//   sleep    run random programs from real inputs, longer than any explanation; programmer: name their codes
class WakeSleepObjective : public Objective {
 public:
  WakeSleepObjective(const ObjectiveConfig& config, int64_t codes);
  StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) override;
  void save(std::map<std::string, TensorData>& out) const override;
  void load(const std::map<std::string, TensorData>& in, const std::string& origin) override;

 private:
  struct Explanation {
    Programs programs;    // codes [B, K]
    torch::Tensor exact;  // [B]
    double programmer_solved = 0;
  };
  Explanation explain(NeoImpl& model, const PairBatch& batch, const StepContext& context);
  torch::Tensor dream_loss(NeoImpl& model, const torch::Tensor& inputs, RngStream& random);
  // Cross-entropy of naming `codes` from the state and target, per row.
  torch::Tensor naming_loss(NeoImpl& model, const torch::Tensor& state, const torch::Tensor& target,
                            const torch::Tensor& codes);

  ObjectiveConfig config_;
  torch::Tensor usage_;  // [codes] double, running share of each code in explanations; dreams draw from it
  int64_t computed_ = 0;
};

}  // namespace neo
