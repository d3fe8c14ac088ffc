#include "model/gaussian.h"

#include <cmath>
#include <numbers>

namespace neo {

Latent Gaussian::forward(const torch::Tensor& actions, const torch::Tensor& noise, double /*temperature*/) {
  TORCH_CHECK(actions.dim() == 2 && actions.size(1) == 2 * config_.width, "actions must be [B, ",
              2 * config_.width, "]");
  const auto mean = actions.narrow(1, 0, config_.width);
  const auto log_variance = actions.narrow(1, config_.width, config_.width);
  Latent out;
  out.vectors = mean;
  if (noise.defined()) out.vectors = mean + (0.5 * log_variance).exp() * noise;
  out.codes = torch::zeros({actions.size(0)}, torch::kLong);
  out.loss = 0.5 * config_.beta * (mean.square() + log_variance.exp() - 1.0 - log_variance).sum(-1);
  return out;
}

torch::Tensor Gaussian::draw_noise(RngStream& random, int64_t rows) const {
  auto noise = torch::empty({rows, config_.width}, torch::kFloat);
  auto* n = noise.data_ptr<float>();
  for (int64_t i = 0; i < noise.numel(); ++i) {  // Box-Muller
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
    n[i] = static_cast<float>(radius * std::cos(2.0 * std::numbers::pi * random.uniform()));
  }
  return noise;
}

}  // namespace neo
