#include "train/objective.h"

#include "core/error.h"
#include "train/latent_wake_sleep.h"
#include "train/schedule.h"
#include "train/wake_sleep.h"

namespace neo {

torch::Tensor grounding_loss(const torch::Tensor& distances, const torch::Tensor& lengths,
                             const std::string& mean) {
  if (mean == "steps") return distances.mean(0).sum();
  if (mean == "length") return (distances.sum(1) / lengths).mean();
  if (mean == "selected") {
    const auto within = torch::arange(distances.size(1)).unsqueeze(0) < lengths.unsqueeze(1);
    return (distances * within).sum() / lengths.sum();
  }
  fail_usage("rollout.grounding_mean is '{}'; one of: steps, length, selected", mean);
}

namespace {

// Row b of the result is row b of steps[index[b]].
torch::Tensor select_step(const std::vector<torch::Tensor>& steps, const torch::Tensor& index) {
  const int64_t rows = index.size(0);
  return torch::stack(steps).index({index, torch::arange(rows)});
}

}  // namespace

void count_codes(const Programs& programs, int64_t vocabulary, StepResult& result) {
  const int64_t steps = programs.codes.size(1);
  const auto within = torch::arange(steps).unsqueeze(0) < programs.lengths.unsqueeze(1);
  const auto usage = programs.codes.masked_select(within).bincount({}, vocabulary);
  const auto histogram = (programs.lengths - 1).bincount({}, steps);
  result.usage.assign(usage.data_ptr<int64_t>(), usage.data_ptr<int64_t>() + vocabulary);
  result.lengths.assign(histogram.data_ptr<int64_t>(), histogram.data_ptr<int64_t>() + steps);
}

torch::Tensor code_prices(const PriceConfig& config, const StepContext& context) {
  const auto codes = static_cast<int64_t>(context.usage->size());
  auto prices = torch::full({codes}, config.code);
  const double rest = 1.0 - static_cast<double>(context.step) / static_cast<double>(config.balance_steps);
  if (config.balance > 0 && rest > 0) {
    const auto relative = torch::tensor(*context.usage, torch::kDouble) * static_cast<double>(codes);
    prices = prices + (config.balance * rest * (relative + 0.01).log()).to(torch::kFloat);
  }
  return prices;
}

torch::Tensor programmer_cross_entropy(NeoImpl& model, const torch::Tensor& states, const torch::Tensor& targets,
                                       const torch::Tensor& codes, double temperature) {
  const auto action = model.programmer().propose(states, targets);
  const auto distance = model.quantizer().distances(action, /*learn_codes=*/false);
  return torch::nn::functional::cross_entropy(-distance / temperature, codes);
}

StepResult RolloutObjective::compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) {
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const int64_t rows = batch.x.size(0);
  const int64_t steps = config_.steps;
  const double temperature =
      cosine_between(context.step, context.total, config_.tau_start, config_.tau_end, config_.tau_share);
  const double lambda =
      linear_between(context.step, context.total, config_.lambda_start, config_.lambda_end, config_.lambda_share);

  auto& programmer = model.programmer();
  const auto target = observation.encode(batch.y);
  const auto goal = programmer.encode_target(target);
  auto state = observation.encode(batch.x);
  std::vector<torch::Tensor> states, codes, vq_losses;
  for (int64_t k = 0; k < steps; ++k) {
    const auto action = programmer.propose(programmer.encode_state(state.detach()), goal);
    const auto noise =
        config_.choice == "sampled" ? model.bottleneck().draw_noise(*context.random, rows) : torch::Tensor();
    const Latent latent = model.bottleneck().forward(action, noise, temperature);
    state = model.executor().forward(state, latent.vectors);
    states.push_back(state);
    codes.push_back(latent.codes);
    vq_losses.push_back(latent.loss);
  }

  // All K candidates are read at once and without gradient; only the selected ones get one.
  torch::Tensor losses, exact;  // [B, K]
  torch::Tensor grounded;       // [K B, T, D] E(hard y^_k)
  const auto candidates = torch::cat(states);
  const auto decoded = observation.decode_candidates(candidates.detach());
  {
    torch::NoGradGuard no_grad;
    const Reading reading = readout.read(decoded.prediction, batch.y.repeat({steps, 1}));
    if (config_.grounding > 0) grounded = observation.encode(reading.hard);
    losses = reading.loss.view({steps, rows}).t();
    exact = reading.exact.view({steps, rows}).t();
  }
  const auto lengths = choose_lengths(losses, exact, {Fallback::mdl, lambda});
  const auto last = lengths - 1;

  const auto selected = last * rows + torch::arange(rows);  // rows of `candidates`
  const auto final_state = candidates.index_select(0, selected);
  const auto reconstruction = readout.loss(decoded.replay(final_state, selected), batch.y).mean();
  const auto vq = select_step(vq_losses, last).mean();

  StepResult result;
  result.loss = config_.reconstruction * reconstruction + config_.vq * vq;
  result.losses = {{"reconstruction", reconstruction.item<double>()}, {"vq", vq.item<double>()}};
  if (config_.grounding > 0) {
    const auto distances = (candidates - grounded).square().mean({1, 2}).view({steps, rows}).t();
    const auto grounding = grounding_loss(distances, lengths, config_.grounding_mean);
    result.loss = result.loss + config_.grounding * grounding;
    result.losses["grounding"] = grounding.item<double>();
  }
  if (config_.state > 0) {
    const auto prediction = torch::mse_loss(final_state, target);
    result.loss = result.loss + config_.state * prediction;
    result.losses["state"] = prediction.item<double>();
  }
  result.solved = exact.any(1).to(torch::kDouble).mean().item<double>();
  count_codes({torch::stack(codes, 1), lengths}, model.config().quantizer.codes, result);
  return result;
}

std::unique_ptr<Objective> make_objective(const TrainConfig& config) {
  if (config.objective == "rollout") return std::make_unique<RolloutObjective>(config.rollout);
  if (config.objective == "wake-sleep") return std::make_unique<WakeSleepObjective>(config.wake_sleep);
  if (config.objective == "latent-wake-sleep")
    return std::make_unique<LatentWakeSleepObjective>(config.latent_wake_sleep);
  fail_usage("unknown objective '{}'; one of: rollout, wake-sleep, latent-wake-sleep", config.objective);
}

}  // namespace neo
