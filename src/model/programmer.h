#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "model/config.h"
#include "model/transformer.h"
#include "observe/observation_model.h"

namespace neo {

// q(z | s, s_y): proposes the next operation. Sees the current state and the encoded target and answers with
// an action vector; the quantizer turns that into a distribution over codes.
class Programmer : public torch::nn::Module {
 public:
  // Features of the current state and of the target, [B, T, D] -> [B, ...]; computed once for each.
  virtual torch::Tensor encode_state(const torch::Tensor& states) { return states; }
  virtual torch::Tensor encode_target(const torch::Tensor& targets) { return encode_state(targets); }
  // encode_state(E(o)) and encode_target(E(o)) of hard observations, more directly where that is possible.
  virtual torch::Tensor encode_state_observation(ObservationModel& observation,
                                                 const torch::Tensor& observations);
  virtual torch::Tensor encode_target_observation(ObservationModel& observation,
                                                  const torch::Tensor& observations);
  // Results of encode_state() and encode_target() -> action [B, A]
  virtual torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) = 0;
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& target) {
    return propose(encode_state(state), encode_target(target));
  }
};

std::shared_ptr<Programmer> make_programmer(const ProgrammerConfig& config, const StateShape& state,
                                            int64_t action_width);

//   [s, s_y] [B, 2TD] --> (linear, ReLU) x layers --> linear --> action [B, A]
class MlpProgrammer : public Programmer {
 public:
  MlpProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor encode_state(const torch::Tensor& states) override { return states.flatten(1); }
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  torch::nn::Sequential layers_{nullptr};
};

// The target modulates what is seen of the state:
//   s [B, TD] --> linear, ReLU, linear, ReLU --> h;  s_y --> linear, ReLU --> gamma, beta
//   gamma * h + beta --> (linear, ReLU) x (layers - 2) --> linear --> action [B, A]
class FilmProgrammer : public Programmer {
 public:
  FilmProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  torch::nn::Sequential state_layers_{nullptr}, target_layers_{nullptr}, output_layers_{nullptr};
  torch::nn::Linear gamma_{nullptr}, beta_{nullptr};
};

// For states that keep the layout of a grid:
//   s [B, R, C, D] --> linear, ReLU --> features --> sums over rows and over columns [B, (R + C) F]
//   [of s, of s_y] --> (linear, ReLU) x layers --> linear --> action [B, A]
class ProjectionProgrammer : public Programmer {
 public:
  ProjectionProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor encode_state(const torch::Tensor& states) override;  // [B, T, D] -> [B, (R + C) F]
  torch::Tensor encode_state_observation(ObservationModel& observation,
                                         const torch::Tensor& observations) override;
  torch::Tensor encode_target_observation(ObservationModel& observation,
                                          const torch::Tensor& observations) override {
    return encode_state_observation(observation, observations);
  }
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  StateShape shape_;
  torch::nn::Linear features_{nullptr};
  torch::nn::Sequential layers_{nullptr};
};

// For states that are a sequence of T tokens: a learned action token beside the 2T tokens of both states, all
// with position embeddings; the output at the action token is the action.
//   [action, s, s_y] [B, 1 + 2T, d] --> post-norm encoder --> first token --> linear --> action [B, A]
class TransformerProgrammer : public Programmer {
 public:
  TransformerProgrammer(const ProgrammerConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor propose(const torch::Tensor& state, const torch::Tensor& target) override;

 private:
  torch::Tensor attend(const torch::Tensor& state, const torch::Tensor& target);
  int64_t tokens_;
  torch::nn::Linear in_{nullptr}, out_{nullptr};
  torch::Tensor action_;                // [1, d]
  torch::Tensor place_, side_, joint_;  // [T, d/4], [2, d/4], [2T, d/2]: where a token is
  std::vector<EncoderLayer> layers_;
};

}  // namespace neo
