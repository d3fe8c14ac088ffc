#include "rollout/refine.h"

#include <limits>

namespace neo {

torch::Tensor refine(NeoImpl& model, const torch::Tensor& states, const torch::Tensor& targets,
                     const torch::Tensor& vectors, const Refinement& refinement) {
  torch::AutoGradMode with_gradient(true);
  auto& observation = model.observation();
  auto z = vectors.detach();
  auto best = z;
  auto least = torch::full({z.size(0)}, std::numeric_limits<float>::infinity());
  for (int64_t step = 0; step <= refinement.steps; ++step) {
    z = z.detach().requires_grad_(true);
    const auto loss =
        observation.readout().loss(observation.decode(model.executor().forward(states, z)), targets);  // [B]
    const auto better = loss.detach() < least;
    best = torch::where(better.unsqueeze(1), z.detach(), best);
    least = torch::where(better, loss.detach(), least);
    if (step == refinement.steps) break;
    // Rows do not meet, so the sum gives each its own gradient; the loss is a mean over elements, -log p their sum.
    const auto elements = static_cast<double>(targets.size(1));
    z = z.detach() - refinement.rate * elements * torch::autograd::grad({loss.sum()}, {z})[0];
  }
  return best;
}

}  // namespace neo
