#pragma once

#include <torch/torch.h>

#include <memory>

#include "kernels/local_rule.h"
#include "model/config.h"

namespace neo {

// f(s, z): applies one operation to a state. All codes share its weights; the code vector alone decides what
// is done.
class Executor : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& state,
                                const torch::Tensor& action) = 0;  // [B,T,D],[B,A] -> [B,T,D]
  // Every action on every state: [B,T,D], [Z,A] -> [B,Z,T,D]. What search needs.
  virtual torch::Tensor every_action(const torch::Tensor& state, const torch::Tensor& actions);
};

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state,
                                        int64_t action_width);

//   s [B,TD] --> linear, ReLU, linear, ReLU --> h;  a --> linear --> gamma, beta
//   h' = gamma * h + beta --> linear, ReLU, linear, ReLU, linear --> + s
class FilmExecutor : public Executor {
 public:
  FilmExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;

 private:
  torch::nn::Sequential state_layers_{nullptr}, output_layers_{nullptr};
  torch::nn::Linear action_{nullptr}, gamma_{nullptr}, beta_{nullptr};
};

// For states that keep the layout of a grid; one rule for every cell:
//   weights = softmax(linear(a)) over the cell and its neighbours (a learned vector outside the grid)
//   u = weighted mean of the neighbourhood --> u + linear(ReLU(gamma(a) * linear(u) + beta(a)))
class LocalExecutor : public Executor {
 public:
  LocalExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  torch::Tensor every_action(const torch::Tensor& state, const torch::Tensor& actions) override;

 private:
  // Without gradient, on the fused kernel: action[i] on state[grid[i]], [P,T,D]. Undefined where it does not
  // fit.
  torch::Tensor fused(const torch::Tensor& state, const torch::Tensor& actions, const torch::Tensor& grid,
                      const torch::Tensor& action);
  torch::Tensor neighbourhoods(const torch::Tensor& state);                          // [B,T,D] -> [B,taps,TD]
  torch::Tensor pointwise(const torch::Tensor& mixed, const torch::Tensor& action);  // [B,Z,T,D], [.,Z,A]
  StateShape shape_;
  std::vector<Neighbour> neighbours_;
  torch::nn::Linear taps_{nullptr}, in_{nullptr}, gamma_{nullptr}, beta_{nullptr}, out_{nullptr};
  torch::Tensor outside_;  // [D]
};

}  // namespace neo
