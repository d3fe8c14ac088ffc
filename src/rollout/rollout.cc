#include "rollout/rollout.h"

#include "core/error.h"

namespace neo {

Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const RolloutOptions& options) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  auto& programmer = model.programmer();
  auto seen = programmer.look_at(observation, x);
  const auto target = programmer.look_at(observation, y);
  auto state = options.hard_grounding ? torch::Tensor() : observation.encode(x);
  const auto own = options.hard_grounding && !options.executor ? make_hard_executor(model) : nullptr;
  HardExecutor* executor = options.executor ? options.executor : own.get();
  const auto each = torch::arange(x.size(0));
  Trajectory trajectory;
  std::vector<torch::Tensor> codes, losses, exact;
  for (int64_t k = 0; k < options.steps; ++k) {
    const auto action = programmer.propose(seen, target);
    const auto uniforms = options.temperature > 0 ? options.uniforms.select(1, k) : torch::Tensor();
    const auto chosen = model.quantizer().forward(action, uniforms, options.temperature).codes;
    Reading reading;
    if (executor) {
      reading = executor->read({k == 0 ? x : trajectory.hard.back(), y, each, chosen, {}});
      seen = programmer.look_at(observation, reading.hard);
    } else {
      state = model.step(state, chosen);
      seen = programmer.look(state);
      reading = observation.readout().read(observation.decode(state), y);
    }
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

torch::Tensor trace(HardExecutor& executor, const torch::Tensor& x, const Programs& programs) {
  torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> visited{x};
  for (int64_t k = 0; k < programs.codes.size(1); ++k) {
    auto next = visited.back().clone();
    const auto running = (programs.lengths > k).nonzero().squeeze(1);
    if (running.size(0) > 0) {
      next.index_copy_(
          0, running,
          executor.next(next.index_select(0, running), programs.codes.select(1, k).index_select(0, running)));
    }
    visited.push_back(next);
  }
  return torch::stack(visited, /*dim=*/1);
}

torch::Tensor execute(NeoImpl& model, const torch::Tensor& x, const Programs& programs, bool hard_grounding) {
  torch::NoGradGuard no_grad;
  if (hard_grounding) return trace(*make_hard_executor(model), x, programs).select(1, programs.codes.size(1));
  auto& observation = model.observation();
  auto result = x.clone();
  auto state = observation.encode(x);
  for (int64_t k = 0; k < programs.codes.size(1); ++k) {
    state = model.step(state, programs.codes.select(1, k));
    const auto hard = observation.readout().harden(observation.decode(state));
    result = torch::where((programs.lengths > k).unsqueeze(1), hard, result);
  }
  return result;
}

Fallback fallback_named(const std::string& name) {
  if (name == "all") return Fallback::all_steps;
  if (name == "mdl") return Fallback::mdl;
  fail_usage("evaluation.fallback is '{}'; one of: all, mdl", name);
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
