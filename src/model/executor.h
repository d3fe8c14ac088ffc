#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/transformer.h"
#include "observe/observation_model.h"

namespace neo {

// f(s, z): applies one operation to a state. All codes share its weights; the code vector alone selects the
// operation.
class Executor : public torch::nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& state,
                                const torch::Tensor& action) = 0;  // [B,T,D],[B,A] -> [B,T,D]
  virtual bool learns() const { return true; }  // by gradient; else it was set once
  // Every action on every state: [B,T,D], [Z,A] -> [B,Z,T,D].
  virtual torch::Tensor every_action(const torch::Tensor& state, const torch::Tensor& actions);
};

std::shared_ptr<Executor> make_executor(const ExecutorConfig& config, const StateShape& state,
                                        int64_t action_width);

//   s [B,TD] --> linear, ReLU, linear, ReLU --> h;  a --> linear --> gamma, beta
//   one block   h' = gamma * h + beta --> linear, ReLU, linear, ReLU, linear --> + s
//   more        each h' = gamma * ReLU(linear(h)) + beta; then linear, ReLU, linear --> + s
class FilmExecutor : public Executor {
 public:
  FilmExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;

 private:
  struct Block {
    torch::nn::Linear in{nullptr};  // none where there is only one block
    torch::nn::Linear gamma{nullptr}, beta{nullptr};
  };
  Block make_block(const std::string& suffix, int64_t hidden, bool with_layer);
  torch::nn::Sequential state_layers_{nullptr}, output_layers_{nullptr};
  torch::nn::Linear action_{nullptr};
  std::vector<Block> blocks_;
};

// For states that are a sequence of tokens: they attend to each other, then to the action.
//   s [B,T,D] --> linear + positions --> post-norm decoder layers with memory linear(a) --> linear [B,T,D]
class AttentionExecutor : public Executor {
 public:
  AttentionExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;

 private:
  torch::Tensor execute(const torch::Tensor& state, const torch::Tensor& action);
  torch::nn::Linear in_{nullptr}, action_{nullptr}, out_{nullptr};
  torch::Tensor place_;  // [T, d]
  std::vector<DecoderLayer> layers_;
};

// For states in which operations are nearly linear: a linear map for each dimension of the action, added up.
//   s [B,D] --> s + sum_i a_i (W_i s + b_i)
// A state may also consist of the leading dimensions only; then the leading part of every map applies.
class BilinearExecutor : public Executor {
 public:
  BilinearExecutor(const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  torch::Tensor every_action(const torch::Tensor& state, const torch::Tensor& actions) override;
  // The effect of each action [Z, A] on the leading d dimensions of a state s: s + s map + offset.
  struct Affine {
    torch::Tensor map, offset;  // [Z, d, d], [Z, d]
  };
  Affine affine(const torch::Tensor& actions, int64_t dimensions) const;
  // Sets the map [D, D] and offset [D] of the action [A], which must have unit length and be orthogonal to
  // all others in use; those are unaffected.
  void set_map(const torch::Tensor& action, const torch::Tensor& map, const torch::Tensor& offset);

 private:
  torch::Tensor leading_maps(int64_t width) const { return maps_.narrow(1, 0, width).narrow(2, 0, width); }
  torch::Tensor maps_, offsets_;  // [A, D, D] (input, output), [A, D]
};

// Offset of a neighbour, in rows and columns from the cell.
struct Neighbour {
  int64_t down = 0, right = 0;
};

// For states that keep the layout of a grid; one rule for every cell:
//   weights = softmax(linear(a)) over the cell and its neighbours (a learned vector outside the grid)
//   u = weighted mean of the neighbourhood --> u + linear(ReLU(gamma(a) * linear(u) + beta(a)))
class LocalExecutor : public Executor {
 public:
  LocalExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  // The rule itself: [P,taps,D] neighbourhoods and [P,A] actions -> [P,D].
  torch::Tensor cells(const torch::Tensor& neighbourhoods, const torch::Tensor& action);
  const std::vector<Neighbour>& neighbours() const { return neighbours_; }
  const torch::Tensor& outside() const { return outside_; }
  const StateShape& shape() const { return shape_; }

 private:
  torch::Tensor neighbourhoods(const torch::Tensor& state);  // [B,T,D] -> [B,taps,TD]
  torch::Tensor mix(const torch::Tensor& action, const torch::Tensor& neighbourhoods);  // softmax-weighted
  torch::Tensor pointwise(const torch::Tensor& mixed, const torch::Tensor& action);     // [B,T,D], [B,A]
  StateShape shape_;
  std::vector<Neighbour> neighbours_;
  torch::nn::Linear taps_{nullptr}, in_{nullptr}, gamma_{nullptr}, beta_{nullptr}, out_{nullptr};
  torch::Tensor outside_;  // [D]
};

// For states that are a sequence: a gated recurrent unit runs from the last token to the first, the same at
// every position, so what it learns about one digit (and its carry) holds for all.
//   [s_t, scale a] --> linear, ReLU, linear --> gates;  h_t = GRU(gates, h_{t+1}) --> linear, ReLU, linear
class RecurrentExecutor : public Executor {
 public:
  RecurrentExecutor(const ExecutorConfig& config, const StateShape& state, int64_t action_width);
  torch::Tensor forward(const torch::Tensor& state, const torch::Tensor& action) override;
  // The parts, for callers that deduplicate inputs: [P,D],[P,A] -> [P,3H]; [P,3H],[P,H] -> [P,H];
  // [P,H] -> [P,D].
  torch::Tensor gates(const torch::Tensor& token, const torch::Tensor& action);
  torch::Tensor advance(const torch::Tensor& gates, const torch::Tensor& hidden);
  torch::Tensor emit(const torch::Tensor& hidden) { return out_->forward(hidden); }
  int64_t hidden() const { return hidden_; }

 private:
  int64_t hidden_;
  double scale_;
  torch::nn::Sequential in_{nullptr}, out_{nullptr};
  torch::nn::Linear recur_{nullptr};
};

}  // namespace neo
