#pragma once

#include <torch/torch.h>

#include <memory>

#include "model/config.h"

namespace neo {

// f(s, z): applies one operation to a state. All codes share its weights; the code vector alone decides what
// is done.
class Executor : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) = 0;  // [B,T,D],[B,A] -> [B,T,D]
};

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);

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

}  // namespace neo
