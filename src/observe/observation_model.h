#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>

#include "observe/readout.h"
#include "worlds/world.h"

namespace neo {

// Shapes: B rows, N elements of an observation, T state tokens of width D.
struct ObservationConfig {
  std::string kind = "tokens";  // grid-vae, tokens, digits, residual-vae, linear
  int64_t tokens = 1;           // T
  int64_t width = 32;           // D
  double beta = 0.0;            // weight of the KL term while pretraining a VAE
  static void visit(auto& c, auto&& field) {
    field("kind", c.kind,
          "grid-vae, tokens (one unit vector per value), digits (embedding and read-out), residual-vae or "
          "linear");
    field("tokens", c.tokens, "state tokens T");
    field("width", c.width, "width D of a state token");
    field("beta", c.beta, "weight of the KL term in pretraining");
  }
};

// Maps raw observations to latent states and back: s = E(x), y^ = D(s). Pretrained on single observations,
// then frozen; NEO never trains it.
class ObservationModel : public torch::nn::Module {
 public:
  virtual torch::Tensor encode(const torch::Tensor& observations) = 0;  // uint8 [B, N] -> [B, T, D]
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
  // How far states vary along each dimension, in the units of the observation, [D]; undefined: alike.
  virtual torch::Tensor spread() const { return {}; }
  virtual Readout readout() const = 0;
  // Called once when the weights are final: turns gradients off and prepares whatever makes inference fast.
  virtual void freeze();
};

std::shared_ptr<ObservationModel> make_observation_model(const ObservationConfig& config, const World& world);

}  // namespace neo
