#pragma once

#include "model/bottleneck.h"
#include "model/quantizer.h"

namespace neo {

// The bottleneck of a conditional beta-VAE: the action is mean and log-variance of a normal distribution, and
// the loss is beta KL(q || N(0, I)), summed over the dimensions.
//   [mu, log sigma^2] [B, 2A] --> mu + sigma * noise [B, A]
class Gaussian : public Bottleneck {
 public:
  explicit Gaussian(const QuantizerConfig& config) : config_(config) {}
  // Sigma is learned; the temperature changes nothing.
  Latent forward(const torch::Tensor& actions, const torch::Tensor& noise = {},
                 double temperature = 1.0) override;
  torch::Tensor draw_noise(RngStream& random, int64_t rows) const override;  // [B, A] standard normal

 private:
  QuantizerConfig config_;
};

}  // namespace neo
