#include "search/latent_beam.h"

#include <algorithm>

namespace neo {
LatentBeamResult latent_beam(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y, const Policy& policy) {
  torch::NoGradGuard no_grad;
  auto& observation = model.observation();
  const int64_t count = x.size(0);
  const int64_t depth = policy.steps;
  const auto target = observation.encode(y).unsqueeze(1);
  const auto spread = observation.spread();
  const auto weight = spread.defined() ? spread.square() : torch::ones({target.size(3)});
  const auto active = torch::tensor(model.quantizer().active(), torch::kLong);
  const auto actions = model.quantizer().vectors(active);
  const int64_t codes = active.size(0);
  const auto rows = torch::arange(count).unsqueeze(1);
  const Readout readout = observation.readout();
  LatentBeamResult found{{},
                         torch::zeros({count, depth, depth}, torch::kLong),
                         torch::empty({count, depth}, torch::kFloat),
                         torch::empty({count, depth}, torch::kFloat)};
  auto state = observation.encode(x).unsqueeze(1);               // [B, W, T, D]
  auto written = torch::zeros({count, 1, depth}, torch::kLong);  // [B, W, depth] the codes that led there
  for (int64_t k = 0; k < depth; ++k) {
    state = model.executor()
                .every_action(state.flatten(0, 1), actions)
                .view({count, -1, target.size(2), target.size(3)});
    const auto distance = ((state - target).square() * weight).sum({2, 3});  // [B, W |E|]
    const auto [least, kept] =
        distance.topk(std::min(policy.width, distance.size(1)), /*dim=*/1, /*largest=*/false);
    written = written.index({rows, kept.div(codes, "floor")});
    written.select(2, k).copy_(active.index({kept.remainder(codes)}));
    state = state.index({rows, kept});
    found.distances.select(1, k).copy_(least.select(1, 0));
    found.losses.select(1, k).copy_(readout.loss(observation.decode(state.select(1, 0)), y));
    found.codes.select(1, k).copy_(written.select(1, 0));
  }
  const auto never = torch::zeros(found.losses.sizes(), torch::kBool);
  found.programs.lengths = choose_lengths(found.losses, never, length_rule(policy));
  found.programs.codes = found.codes.index({rows.squeeze(1), found.programs.lengths - 1});
  return found;
}

int64_t beam_calls(NeoImpl& model, int64_t depth, int64_t width) {
  const auto codes = static_cast<int64_t>(model.quantizer().active().size());
  int64_t calls = 0;
  for (int64_t k = 0, kept = 1; k < depth; ++k, kept = std::min(width, kept * codes)) calls += kept * codes;
  return calls;
}

}  // namespace neo
