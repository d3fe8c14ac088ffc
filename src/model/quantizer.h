#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

#include "model/bottleneck.h"
#include "model/config.h"

namespace neo {

// Vector quantisation on the unit sphere: actions and codes are L2-normalised, distance is squared Euclidean.
//   a [B, A] --> a/|a| --> nearest (or sampled) of |E| codes --> e [B, A]
//                    \______ straight-through _____/
class QuantizerImpl : public Bottleneck {
 public:
  explicit QuantizerImpl(const QuantizerConfig& config);

  // `uniforms` [B] in [0,1) samples the codes from softmax(-d^2 / temperature); undefined: the nearest code.
  // Vectors: unit codes, straight-through gradient to the normalised action. Loss: codebook, commitment and
  // regularisation terms.
  Latent forward(const torch::Tensor& actions, const torch::Tensor& uniforms = {},
                 double temperature = 1.0) override;
  torch::Tensor draw_noise(RngStream& random, int64_t rows) const override;  // [B] uniform
  // [B, |E|], squared; the gradient reaches the codes only if `learn_codes`.
  torch::Tensor distances(const torch::Tensor& actions, bool learn_codes = true);
  torch::Tensor vectors(const torch::Tensor& codes);  // [B] -> [B, A], unit length
  // The end of an optimiser step: moves an EMA codebook that waits for it by all that was assigned.
  void commit() override;
  // Takes codes out of use: no action is ever near them again.
  void retire(const std::vector<int64_t>& codes);
  std::vector<int64_t> active() const;  // the codes in use
  // Re-initialises code `code` at `vector` (dead-code reset).
  void reset_code(int64_t code, const torch::Tensor& vector);
  const QuantizerConfig& config() const { return config_; }

 private:
  bool is_ema() const { return config_.codebook == "ema"; }
  void accumulate(const torch::Tensor& actions, const torch::Tensor& codes);
  void average();  // moves the pending codes by what was accumulated

  QuantizerConfig config_;
  torch::Tensor codebook_;              // [|E|, A]; a parameter, or a buffer moved by EMA
  torch::Tensor active_;                // [|E|] uint8
  torch::Tensor sizes_, sums_;          // EMA: [|E|], [|E|, A]
  // What the calls of a step make of an EMA codebook; nothing of the model changes before commit().
  struct Averages {
    torch::Tensor codebook, sizes, sums;  // as the members above
    torch::Tensor new_sizes, new_sums;    // assigned since they moved
  };
  std::optional<Averages> pending_;
};
TORCH_MODULE(Quantizer);

}  // namespace neo
