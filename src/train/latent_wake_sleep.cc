#include "train/latent_wake_sleep.h"

#include <algorithm>

namespace neo {
namespace {
constexpr double kFloor = 1e-3;      // residuals below are as good as none
constexpr double kExplained = 0.05;  // residuals below count as solved
constexpr int64_t kRefinements = 4;  // doublings of the dimensions after the coarse phase

// How much each of the first `dimensions` counts: its share of the observation's variance, [D].
torch::Tensor importance(ObservationModel& observation, int64_t width, int64_t dimensions) {
  auto spread = observation.spread();
  if (!spread.defined()) spread = torch::ones({width});
  auto variance = spread.square();
  variance.slice(0, dimensions).zero_();
  return variance / variance.sum();
}
}  // namespace

int64_t LatentWakeSleepObjective::dimensions(int64_t step, int64_t all) const {
  const double progress =
      static_cast<double>(step) / static_cast<double>(std::max<int64_t>(config_.wake_steps, 1));
  if (progress < config_.coarse_share) return std::min(all, config_.coarse);
  // Doubled kRefinements times over half of what is left; then all.
  const double share = (progress - config_.coarse_share) / (0.5 * (1 - config_.coarse_share));
  const auto doublings = static_cast<int64_t>(share * kRefinements) + 1;
  return doublings >= kRefinements ? all : std::min(all, config_.coarse << doublings);
}

LatentWakeSleepObjective::Explanation LatentWakeSleepObjective::explain(NeoImpl& model,
                                                                        const torch::Tensor& from,
                                                                        const torch::Tensor& to,
                                                                        int64_t dimensions,
                                                                        const StepContext& context) const {
  torch::NoGradGuard no_grad;
  const int64_t rows = from.size(0);
  const int64_t width = from.size(2);
  const auto active = torch::tensor(model.quantizer().active(), torch::kLong);
  const int64_t codes = active.size(0);
  const auto actions = model.quantizer().vectors(active);
  const auto mask = (torch::arange(width) < dimensions).to(torch::kFloat);
  const auto weight = importance(model.observation(), width, dimensions);
  const auto residual = [&](const torch::Tensor& predicted, const torch::Tensor& wanted) {
    return (predicted - wanted).square().matmul(weight);
  };
  const auto one = model.executor().every_action(from, actions).squeeze(2) * mask;  // [B, Z, D]
  const auto two =
      model.executor().every_action(one.reshape({-1, 1, width}), actions).view({rows, -1, width});
  const auto target = to.view({rows, 1, width});
  const auto left = torch::cat({residual(one, target), residual(two, target)}, 1);  // [B, Z + Z Z]

  auto price = torch::full({codes}, config_.price);
  const double rest = 1.0 - static_cast<double>(context.step) / static_cast<double>(config_.balance_steps);
  if (config_.balance > 0 && rest > 0) {
    const auto share = torch::tensor(*context.usage, torch::kDouble).index_select(0, active);
    price = price +
            (config_.balance * rest * (share * static_cast<double>(codes) + 0.01).log()).to(torch::kFloat);
  }
  const auto pair_price = (price.unsqueeze(1) + price.unsqueeze(0)).flatten();
  const auto cost = (left + kFloor).log() + torch::cat({price, pair_price});
  // Rows 2i and 2i+1 are the two pairs of an episode.
  const auto best = (cost.view({rows / 2, 2, -1}).sum(1)).argmin(1).repeat_interleave(2);
  const auto is_two = best >= codes;
  const auto within = best - codes;
  const auto first = torch::where(is_two, within.div(codes, "floor"), best);
  const auto last = torch::where(is_two, within.remainder(codes), torch::zeros_like(best));
  const auto middle = one.index({torch::arange(rows), first}).unsqueeze(1);
  Explanation e;
  e.programs = {torch::stack({active.index_select(0, first), active.index_select(0, last)}, 1),
                is_two.to(torch::kLong) + 1};
  e.previous = torch::where(is_two.view({rows, 1, 1}), middle, from);
  e.residual = left.gather(1, best.unsqueeze(1)).squeeze(1);
  return e;
}

torch::Tensor LatentWakeSleepObjective::naming_loss(NeoImpl& model, const torch::Tensor& state,
                                                    const Explanation& explanation,
                                                    const StepContext& context) const {
  const auto active = model.quantizer().active();
  const int64_t rows = state.size(0);
  const int64_t longest = config_.dream_length;
  // Half of the rows follow their explanation, half a random program.
  auto codes = torch::zeros({rows, longest}, torch::kLong);
  auto lengths = torch::zeros({rows}, torch::kLong);
  for (int64_t row = 0; row < rows; ++row) {
    const bool dreams = row % 4 >= 2;
    const int64_t length =
        dreams ? 1 + static_cast<int64_t>(context.random->below(static_cast<uint64_t>(longest)))
               : explanation.programs.lengths[row].item<int64_t>();
    lengths[row] = length;
    for (int64_t k = 0; k < length; ++k) {
      codes[row][k] = dreams ? active[context.random->below(active.size())]
                             : explanation.programs.codes[row][k].item<int64_t>();
    }
  }
  std::vector<torch::Tensor> path{state};
  {
    torch::NoGradGuard no_grad;
    for (int64_t k = 0; k < longest; ++k) {
      const auto running = (lengths > k).view({rows, 1, 1});
      path.push_back(torch::where(running, model.step(path.back(), codes.select(1, k)), path.back()));
    }
  }
  const auto steps = (torch::arange(longest).unsqueeze(0) < lengths.unsqueeze(1)).nonzero();
  const auto row = steps.select(1, 0);
  const auto k = steps.select(1, 1);
  const auto action =
      model.programmer().forward(torch::stack(path, 1).index({row, k}), path.back().index_select(0, row));
  const auto distance = model.quantizer().distances(action, /*learn_codes=*/false);
  return torch::nn::functional::cross_entropy(-distance / config_.naming_temperature, codes.index({row, k}));
}

StepResult LatentWakeSleepObjective::compute(NeoImpl& model, const PairBatch& batch,
                                             const StepContext& context) {
  const bool wakes = context.step < config_.wake_steps;
  auto& observation = model.observation();
  auto from = observation.encode(batch.x);
  auto to = observation.encode(batch.y);
  const int64_t width = from.size(2);
  const int64_t used = wakes ? dimensions(context.step, width) : width;
  const auto mask = (torch::arange(width) < used).to(torch::kFloat);
  from = from * mask;
  to = to * mask;
  const Explanation explanation = explain(model, from, to, used, context);
  StepResult result;
  if (wakes) {
    const auto& [codes, lengths] = explanation.programs;
    const auto last = codes.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1);
    const auto predicted = model.step(explanation.previous, last);
    result.loss = (predicted - to).square().squeeze(1).matmul(importance(observation, width, used)).mean();
    result.losses["wake"] = result.loss.item<double>();
  } else {
    result.loss = naming_loss(model, from, explanation, context);
    result.losses["naming"] = result.loss.item<double>();
  }
  result.losses["residual"] = explanation.residual.mean().item<double>();
  result.solved = (explanation.residual < kExplained).to(torch::kDouble).mean().item<double>();
  count_codes(explanation.programs, model.quantizer().config().codes, result);
  return result;
}

}  // namespace neo
