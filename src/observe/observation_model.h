#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>

#include "observe/config.h"
#include "observe/readout.h"

namespace neo {

// The form of a latent state: T tokens of width D. Where there is one token per cell of the observation, they
// keep its layout, rows x columns.
struct StateShape {
  int64_t tokens = 1;
  int64_t width = 32;
  int64_t rows = 1;
  int64_t columns = 1;
};

// Maps raw observations to latent states and back: s = E(x), y^ = D(s). Pretrained on single observations,
// then frozen; NEO never trains it.
class ObservationModel : public torch::nn::Module {
 public:
  explicit ObservationModel(Space space) : space_(std::move(space)) {}
  virtual torch::Tensor encode(const torch::Tensor& observations) = 0;  // [B, N] -> [B, T, D]
  // The leading dimensions of E(x) only, [B, T, d]; d is at most D.
  virtual torch::Tensor encode_leading(const torch::Tensor& observations, int64_t dimensions) {
    return encode(observations).narrow(2, 0, dimensions).contiguous();
  }
  virtual torch::Tensor decode(const torch::Tensor& states) = 0;  // [B, T, D] -> prediction, see Readout
  // Decodes candidates [B, T, D] without gradient. The result's replay(chosen states, rows) then gives the
  // same predictions for those rows with gradient; where decoding is expensive it costs the backward pass
  // only.
  struct Decoded {
    torch::Tensor prediction;
    std::function<torch::Tensor(const torch::Tensor& states, const torch::Tensor& rows)> replay;
  };
  virtual Decoded decode_candidates(const torch::Tensor& states);
  // The pretraining objective on a batch of observations: reconstruction, plus beta KL for the VAEs.
  virtual torch::Tensor pretraining_loss(const torch::Tensor& observations) = 0;
  // Fits all weights at once where there is a closed form; false: train by pretraining_loss.
  virtual bool fit(const torch::Tensor& /*observations*/) { return false; }
  // The spread of states along each dimension, in the units of the observation, [D]; undefined: equal.
  virtual torch::Tensor spread() const { return {}; }
  virtual StateShape state() const = 0;
  virtual Readout readout() const { return Readout(space_); }
  const Space& space() const { return space_; }
  // Called once when the weights are final: turns gradients off and prepares whatever makes inference fast.
  virtual void freeze();

 private:
  Space space_;
};

// One line per kind; a UsageError where a kind does not suit the space.
std::shared_ptr<ObservationModel> make_observation_model(const ObservationConfig& config, const Space& space);

}  // namespace neo
