#pragma once

#include "model/hard_executor.h"
#include "train/objective.h"

namespace neo {

// Search explains, the executor learns from the explanations, and the programmer learns from programs whose
// codes are known (wake-sleep). All programs run on hard observations. Per step:
//   explain  each pair by beam search with the executor as it is (Eq. 5 or least description length)
//   wake     executor and codes: the last step of each program must give y; the earlier steps of exact
//            programs must give what they gave (grounding, Eq. 6)
//   sleep    run explanations (perhaps in another order) and random programs, longer than any explanation,
//            and teach the programmer to propose their codes from where they are and where they end
// Where programs are hard to propose or to execute, waking comes first, for `wake_steps`, then sleep; in
// between (or, where both go together, before the last quarter) codes that explanations do not need are retired.
class WakeSleepObjective : public Objective {
 public:
  explicit WakeSleepObjective(const WakeSleepConfig& config) : config_(config) {}
  StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) override;
  void save(std::map<std::string, TensorData>& out) const override;
  void load(const std::map<std::string, TensorData>& in) override;
  void edited(const Edit& edit) override;
  int64_t longest_program() const override { return config_.depth; }
  int64_t wake_steps() const override { return config_.wake_steps; }

 private:
  // Beam search with the active codes, or with `codes`.
  struct BatchPrograms {
    Programs programs;
    torch::Tensor exact;
  };
  BatchPrograms explain(HardExecutor& executor, const std::vector<int64_t>& codes, const PairBatch& batch,
                        const StepContext& context) const;
  // Edits that retire codes that explanations do not need.
  std::vector<Edit> prune(NeoImpl& model, HardExecutor& executor, const PairBatch& batch,
                          const StepContext& context) const;
  // The steps of explanations, as training targets of the executor.
  struct Transitions {
    torch::Tensor from, to;  // [R, N]
    torch::Tensor codes;     // [R]
    torch::Tensor weights;   // [R]
  };
  Transitions transitions(NeoImpl& model, HardExecutor& executor, const PairBatch& batch,
                          const BatchPrograms& explanation) const;
  torch::Tensor wake_loss(NeoImpl& model, const Transitions& now, RngStream& random);
  // Random programs to run from x.
  Programs dream(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x,
                 const StepContext& context) const;
  // Mean cross-entropy of the programmer's proposals for each code of the programs, run from x.
  torch::Tensor programmer_loss(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x,
                                const Programs& programs) const;

  WakeSleepConfig config_;
  std::vector<Transitions> memory_;  // of the last steps, this one's included
  // Kept from step to step while executor and codes stay as they are.
  std::unique_ptr<HardExecutor> executor_;
};

}  // namespace neo
