#pragma once

#include <torch/torch.h>

#include <memory>

#include "core/rng.h"

namespace neo {

struct QuantizerConfig;

// A batch of actions after the bottleneck.
struct Latent {
  torch::Tensor vectors;  // [B, A] what the executor sees, with gradient
  torch::Tensor codes;    // [B] int64; all 0 where there is no codebook
  torch::Tensor loss;     // [B] per-row bottleneck loss
};

// The bottleneck between programmer and executor: a codebook (Quantizer), or a Gaussian for the continuous
// baselines.
class Bottleneck : public torch::nn::Module {
 public:
  // `noise` as draw_noise() gives it samples; undefined: the nearest code, or the mean.
  virtual Latent forward(const torch::Tensor& actions, const torch::Tensor& noise = {},
                         double temperature = 1.0) = 0;
  virtual torch::Tensor draw_noise(RngStream& random, int64_t rows) const = 0;
  // After an optimiser step: updates whatever is learned without gradient.
  virtual void commit() {}
};

std::shared_ptr<Bottleneck> make_bottleneck(const QuantizerConfig& config);
// Width of the action that the programmer proposes, of which A arrive at the executor.
int64_t proposal_width(const QuantizerConfig& config);

}  // namespace neo
