#include "rollout/rollout.h"

namespace neo {

Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const RolloutOptions& options) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  auto state = observation.encode(x);
  const auto target = observation.encode(y);
  const Readout readout = observation.readout();
  Trajectory trajectory;
  std::vector<torch::Tensor> codes, losses, exact;
  for (int64_t k = 0; k < options.steps; ++k) {
    const auto action = model.programmer().forward(state, target);
    const auto uniforms = options.temperature > 0 ? options.uniforms.select(1, k) : torch::Tensor();
    const auto chosen = model.quantizer().forward(action, uniforms, options.temperature).codes;
    state = model.step(state, chosen);
    const Reading reading = readout.read(observation.decode(state), y);
    if (options.hard_grounding) state = observation.encode(reading.hard);
    codes.push_back(chosen);
    losses.push_back(reading.loss);
    exact.push_back(reading.exact);
    trajectory.hard.push_back(reading.hard);
  }
  trajectory.codes = torch::stack(codes, /*dim=*/1);
  trajectory.losses = torch::stack(losses, /*dim=*/1);
  trajectory.exact = torch::stack(exact, /*dim=*/1);
  return trajectory;
}

torch::Tensor execute(NeoImpl& model, const torch::Tensor& x, const Programs& programs, bool hard_grounding) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  auto result = x.clone();
  if (x.size(0) == 0) return result;
  auto state = observation.encode(x);
  const auto longest = programs.lengths.max().item<int64_t>();
  for (int64_t k = 0; k < longest; ++k) {
    state = model.step(state, programs.codes.select(1, k));
    const auto hard = readout.harden(observation.decode(state));
    if (hard_grounding) state = observation.encode(hard);
    const auto running = (programs.lengths > k).unsqueeze(1);
    result = torch::where(running, hard, result);
  }
  return result;
}

torch::Tensor explanation_lengths(const Trajectory& trajectory, Fallback fallback, double lambda) {
  const int64_t steps = trajectory.losses.size(1);
  auto chosen = torch::full({trajectory.losses.size(0)}, steps, torch::kLong);
  if (fallback == Fallback::mdl) {
    const auto powers = torch::pow(lambda, torch::arange(1, steps + 1, torch::kDouble)).to(torch::kFloat);
    chosen = (trajectory.losses * powers).argmin(1) + 1;
  }
  const auto first_exact = trajectory.exact.to(torch::kInt).argmax(1) + 1;  // argmax: the first of equals
  return torch::where(trajectory.exact.any(1), first_exact, chosen);
}

}  // namespace neo
