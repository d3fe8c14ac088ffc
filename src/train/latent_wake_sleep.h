#pragma once

#include <optional>

#include "observe/memo.h"
#include "train/code_maps.h"
#include "train/objective.h"

namespace neo {

// [d] how much each of the leading dimensions of a state counts; they add up to 1.
torch::Tensor state_importance(const ObservationModel& observation, int64_t dimensions, double spread_power);

// Wake-sleep for observations that are never met exactly: programs of one or two codes run on latent states,
// and an explanation is scored by the log of its residual, the description length of what it leaves
// unexplained. Every pair is explained by itself, unless training is grouped.
//   start           where consensus finds maps in the leading dimensions (linear/discover_maps.h), codes begin
//                   with those, and the coarse phase is left out
//   coarse to fine  programs are found in the leading dimensions of the state: in a few dimensions a handful
//                   of pairs tells two operations apart; in all of them every code would first become the
//                   average. The others are learned when the programs are known.
//   wake            executor: the last step must give E(y). In the leading dimensions by gradient, while
//                   codes and programs settle; then in all of them at once, by least squares, since a code's
//                   map is linear
//   sleep           the programmer learns to propose the codes of explanations and of random programs
class LatentWakeSleepObjective : public Objective {
 public:
  explicit LatentWakeSleepObjective(const LatentWakeSleepConfig& config) : config_(config) {}
  StepResult compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) override;
  void save(std::map<std::string, TensorData>& out) const override;
  void load(const std::map<std::string, TensorData>& in) override;
  void edited(const Edit&) override { maps_.reset(); }
  int64_t longest_program() const override { return 2; }
  int64_t wake_steps() const override { return config_.wake_steps; }

 private:
  struct LatentPrograms {
    Programs programs;       // codes [B, 2]
    torch::Tensor residual;  // [B] share of the variance left unexplained
  };
  // Each uses the part of the batch it needs, fills in the loss, and returns the programs of the pairs.
  LatentPrograms wake(NeoImpl& model, const PairBatch& batch, const StepContext& context, StepResult& result);
  LatentPrograms sleep(NeoImpl& model, const PairBatch& batch, const StepContext& context,
                       StepResult& result);
  // E(x), [B, 1, D], cached: the same inputs recur, their results hardly ever do.
  torch::Tensor encode_inputs(NeoImpl& model, const torch::Tensor& x);
  bool is_coarse(int64_t step) const;
  int64_t leading(NeoImpl& model) const;  // dimensions in which programs are found
  torch::Tensor importance(const ObservationModel& observation, int64_t dimensions) const {
    return state_importance(observation, dimensions, config_.spread_power);
  }
  // group: [B], or undefined where every pair stands for itself.
  LatentPrograms explain(NeoImpl& model, const torch::Tensor& from, const torch::Tensor& to,
                         const torch::Tensor& group, const StepContext& context) const;
  // The last step of each program: where it starts and its code.
  struct LastStep {
    torch::Tensor state;  // [B, 1, d]
    torch::Tensor code;   // [B]
  };
  LastStep last_step(const CodeMaps& maps, const torch::Tensor& from, const Programs& programs) const;
  // Cached maps; rebuilt after an edit. Fine phase only.
  const CodeMaps& cached_maps(NeoImpl& model, int64_t dimensions);
  // Mean squared distance of `reached` from E(y), weighted by importance; both [B, 1, d].
  torch::Tensor weighted_residual(NeoImpl& model, const torch::Tensor& reached,
                                  const torch::Tensor& to) const;
  // Accumulates moments; every kRefit steps returns edits that refit the maps.
  std::vector<Edit> fit_maps(NeoImpl& model, const LastStep& last, const torch::Tensor& to, int64_t step);
  // The edit that re-seeds the least used code from the worst one.
  Edit split_worst_code(NeoImpl& model, const LatentPrograms& explanation, const StepContext& context) const;
  // The first rows of `state` follow their explanations, the others random programs.
  torch::Tensor programmer_loss(NeoImpl& model, const torch::Tensor& state, const Programs& explanations,
                                const StepContext& context);

  LatentWakeSleepConfig config_;
  torch::Tensor moments_;  // [Z, D+1, 2D+1] of [s, 1] with [s, 1, E(y) - s]
  std::optional<CodeMaps> maps_;
  std::optional<EncodingMemo> inputs_;
};

}  // namespace neo
