#include "rollout/rollout.h"

#include "core/error.h"

namespace neo {
namespace {

// What the programmer says in step k: codes, and the vectors that the executor then sees.
Latent choose(NeoImpl& model, const torch::Tensor& action, const RolloutOptions& options, int64_t k) {
  const auto uniforms = options.uniforms.defined() ? options.uniforms.select(1, k) : torch::Tensor();
  Latent latent = options.codes.defined() ? Latent{{}, options.codes.select(1, k), {}}
                                          : model.bottleneck().forward(action, uniforms, options.temperature);
  if (model.has_codes()) latent.vectors = model.quantizer().vectors(latent.codes);
  return latent;
}

torch::Tensor log_probability(QuantizerImpl& quantizer, const torch::Tensor& action,
                              const torch::Tensor& codes, double temperature) {
  return torch::log_softmax(-quantizer.distances(action) / temperature, -1)
      .gather(1, codes.unsqueeze(1))
      .squeeze(1);
}

}  // namespace

Trajectory induce(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                  const RolloutOptions& options) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  auto& programmer = model.programmer();
  auto seen = programmer.look_at(observation, x);
  const auto target = programmer.aim_at(observation, y);
  const bool codes_on_hard = options.hard_grounding && model.has_codes();  // for which there are shorter ways
  const auto own = codes_on_hard && !options.executor ? make_hard_executor(model) : nullptr;
  HardExecutor* executor = options.executor ? options.executor : own.get();
  auto state = executor ? torch::Tensor() : observation.encode(x);
  const auto each = torch::arange(x.size(0));
  Trajectory trajectory;
  std::vector<torch::Tensor> codes, vectors, losses, exact, log_probabilities;
  for (int64_t k = 0; k < options.steps; ++k) {
    const auto action = programmer.propose(seen, target);
    Latent chosen = choose(model, action, options, k);
    if (options.temperature > 0)
      log_probabilities.push_back(
          log_probability(model.quantizer(), action, chosen.codes, options.temperature));
    Reading reading;
    if (executor) {
      reading = executor->read({k == 0 ? x : trajectory.hard.back(), y, each, chosen.codes, {}});
      seen = programmer.look_at(observation, reading.hard);
    } else {
      if (options.refinement.steps > 0 && !model.has_codes())
        chosen.vectors = refine(model, state, y, chosen.vectors, options.refinement);
      state = model.executor().forward(state, chosen.vectors);
      reading = observation.readout().read(observation.decode(state), y);
      if (options.hard_grounding) state = observation.encode(reading.hard);
      seen = programmer.look(state);
    }
    codes.push_back(chosen.codes);
    vectors.push_back(chosen.vectors);
    losses.push_back(reading.loss);
    exact.push_back(reading.exact);
    trajectory.hard.push_back(reading.hard);
  }
  trajectory.codes = torch::stack(codes, /*dim=*/1);
  if (!model.has_codes()) trajectory.vectors = torch::stack(vectors, /*dim=*/1);
  trajectory.losses = torch::stack(losses, /*dim=*/1);
  trajectory.exact = torch::stack(exact, /*dim=*/1);
  if (options.temperature > 0) trajectory.log_probability = torch::stack(log_probabilities, /*dim=*/1);
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
  if (hard_grounding && model.has_codes())
    return trace(*make_hard_executor(model), x, programs).select(1, programs.codes.size(1));
  auto& observation = model.observation();
  auto result = x.clone();
  auto state = observation.encode(x);
  for (int64_t k = 0; k < programs.codes.size(1); ++k) {
    state = programs.vectors.defined() ? model.executor().forward(state, programs.vectors.select(1, k))
                                       : model.step(state, programs.codes.select(1, k));
    const auto hard = observation.readout().harden(observation.decode(state));
    if (hard_grounding) state = observation.encode(hard);
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
