#include "train/wake_sleep.h"

#include "core/error.h"
#include "model/weights.h"
#include "search/beam.h"

namespace neo {
namespace {
constexpr double kUsageDecay = 0.98;
constexpr double kLeastUsage = 0.02;  // codes below take no part in dreams

torch::Tensor uniforms(RngStream& random, at::IntArrayRef shape) {
  auto out = torch::empty(shape, torch::kFloat);
  auto* u = out.data_ptr<float>();
  for (int64_t i = 0; i < out.numel(); ++i) u[i] = static_cast<float>(random.uniform());
  return out;
}
}  // namespace

WakeSleepObjective::WakeSleepObjective(const ObjectiveConfig& config, int64_t codes)
    : config_(config), usage_(torch::full({codes}, 1.0 / static_cast<double>(codes), torch::kDouble)) {}

WakeSleepObjective::Explanation WakeSleepObjective::explain(NeoImpl& model, const PairBatch& batch,
                                                            const StepContext& context) {
  const int64_t rows = batch.x.size(0);
  const RolloutOptions options{config_.steps, /*hard_grounding=*/true, context.temperature,
                               uniforms(*context.random, {rows, config_.steps})};
  const Trajectory proposed = induce(model, batch.x, batch.y, options);
  const auto lengths = explanation_lengths(proposed, Fallback::mdl, context.lambda);
  const auto solved = proposed.exact.any(1);
  const auto powers = torch::pow(context.lambda, lengths.to(torch::kFloat));
  const auto score = proposed.losses.gather(1, (lengths - 1).unsqueeze(1)).squeeze(1) * powers;

  const Found found =
      beam_search(model, batch.x, batch.y, {config_.search_depth, config_.search_width, context.lambda});
  // Exact beats inexact; among exact ones the shorter wins; among inexact ones the smaller lambda^k loss.
  const auto shorter = found.programs.lengths < lengths;
  const auto both = found.exact.logical_and(solved);
  const auto neither = found.exact.logical_or(solved).logical_not();
  const auto better = found.exact.logical_and(solved.logical_not())
                          .logical_or(both.logical_and(shorter))
                          .logical_or(neither.logical_and(found.score < score));
  const auto padded = torch::constant_pad_nd(found.programs.codes,
                                             {0, std::max<int64_t>(0, config_.steps - config_.search_depth)});
  Explanation explanation;
  explanation.programs.codes =
      torch::where(better.unsqueeze(1), padded.narrow(1, 0, config_.steps), proposed.codes);
  explanation.programs.lengths = torch::where(better, found.programs.lengths, lengths);
  explanation.exact = solved.logical_or(found.exact);
  explanation.programmer_solved = solved.to(torch::kDouble).mean().item<double>();
  return explanation;
}

torch::Tensor WakeSleepObjective::naming_loss(NeoImpl& model, const torch::Tensor& state,
                                              const torch::Tensor& target, const torch::Tensor& codes) {
  const auto distance =
      model.quantizer().distances(model.programmer().forward(state, target), /*learn_codes=*/false);
  return torch::nn::functional::cross_entropy(
      -distance / config_.naming_temperature, codes,
      torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
}

torch::Tensor WakeSleepObjective::dream_loss(NeoImpl& model, const torch::Tensor& inputs, RngStream& random) {
  torch::Tensor from, to, codes;
  {
    torch::NoGradGuard no_grad;
    auto& observation = model.observation();
    const int64_t rows = inputs.size(0);
    const int64_t longest = config_.dream_length;
    auto likely = torch::where(usage_ > kLeastUsage, usage_, torch::zeros_like(usage_));
    if (likely.sum().item<double>() <= 0) likely = usage_;
    const auto cumulative = (likely / likely.sum()).cumsum(0).to(torch::kFloat);
    const auto drawn =
        torch::searchsorted(cumulative, uniforms(random, {rows, longest})).clamp_max(usage_.size(0) - 1);
    const auto lengths =
        (uniforms(random, {rows}) * static_cast<double>(longest)).floor().to(torch::kLong) + 1;
    std::vector<torch::Tensor> visited{inputs};
    for (int64_t k = 0; k < longest; ++k) {
      const auto next = model.step(observation.encode(visited.back()), drawn.select(1, k));
      const auto hard = observation.readout().harden(observation.decode(next));
      visited.push_back(torch::where((lengths > k).unsqueeze(1), hard, visited.back()));
    }
    const auto path = torch::stack(visited, 1);  // [rows, longest + 1, N]
    const auto end = visited.back();
    // A dream that passes its own end before it is over ends there.
    const auto arrival = (path == end.unsqueeze(1)).all(2).to(torch::kInt).argmax(1);
    const auto steps = (torch::arange(longest).unsqueeze(0) < arrival.unsqueeze(1)).nonzero();
    if (steps.size(0) == 0) return {};
    const auto row = steps.select(1, 0);
    const auto k = steps.select(1, 1);
    from = observation.encode(path.index({row, k}));
    to = observation.encode(end.index_select(0, row));
    codes = drawn.index({row, k});
  }
  return naming_loss(model, from, to, codes).mean();
}

StepResult WakeSleepObjective::compute(NeoImpl& model, const PairBatch& batch, const StepContext& context) {
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const Explanation explanation = explain(model, batch, context);
  // Longest first, so that the rows still running are always a prefix.
  const auto order = explanation.programs.lengths.argsort(/*dim=*/0, /*descending=*/true);
  const auto lengths = explanation.programs.lengths.index_select(0, order);
  const auto codes = explanation.programs.codes.index_select(0, order);
  const auto y = batch.y.index_select(0, order);
  const auto target = observation.encode(y);
  const auto rows = static_cast<double>(y.size(0));
  auto state = observation.encode(batch.x.index_select(0, order));
  auto reconstruction = torch::zeros({});
  auto grounding = torch::zeros({});
  auto imitation = torch::zeros({});
  for (int64_t k = 0; k < config_.steps; ++k) {
    const auto running = (lengths > k).sum().item<int64_t>();
    if (running == 0) break;
    const auto chosen = codes.narrow(0, 0, running).select(1, k);
    state = state.narrow(0, 0, running);
    imitation = imitation + naming_loss(model, state.detach(), target.narrow(0, 0, running), chosen).sum();
    const auto next = model.step(state, chosen);
    const auto prediction = observation.decode(next);
    const auto hard = observation.encode(readout.harden(prediction.detach()));
    grounding = grounding + (next - hard).square().mean({1, 2}).sum();
    const auto ends = (lengths.narrow(0, 0, running) == k + 1).nonzero().squeeze(1);
    if (ends.size(0) > 0) {
      reconstruction =
          reconstruction + readout.loss(prediction.index_select(0, ends), y.index_select(0, ends)).sum();
    }
    state = next + (hard - next).detach();
  }
  StepResult result;
  reconstruction = reconstruction / rows;
  grounding = grounding / rows;
  imitation = imitation / rows;
  result.loss =
      config_.reconstruction * reconstruction + config_.grounding * grounding + config_.imitation * imitation;
  result.losses = {{"reconstruction", reconstruction.item<double>()},
                   {"grounding", grounding.item<double>()},
                   {"imitation", imitation.item<double>()}};
  if (config_.dream > 0 && ++computed_ > config_.dream_start) {
    const int64_t dreams = std::min(config_.dreams, batch.x.size(0));
    const auto loss = dream_loss(model, batch.x.narrow(0, 0, dreams), *context.random);
    if (loss.defined()) {
      result.loss = result.loss + config_.dream * loss;
      result.losses["dream"] = loss.item<double>();
    }
  }
  result.solved = explanation.exact.to(torch::kDouble).mean().item<double>();
  result.losses["programmer_unsolved"] = 1 - explanation.programmer_solved;
  count_codes(explanation.programs, model.quantizer().config().codes, result);
  const auto share = torch::tensor(result.usage, torch::kLong).to(torch::kDouble);
  usage_ = kUsageDecay * usage_ + (1 - kUsageDecay) * share / share.sum();
  return result;
}

void WakeSleepObjective::save(std::map<std::string, TensorData>& out) const {
  out["objective.usage"] = to_tensor_data(usage_);
  out["objective.computed"] = to_tensor_data(torch::tensor(computed_, torch::kLong));
}

void WakeSleepObjective::load(const std::map<std::string, TensorData>& in, const std::string& origin) {
  const auto usage = in.find("objective.usage");
  const auto computed = in.find("objective.computed");
  if (usage == in.end() || computed == in.end())
    fail("{} lacks the objective's state; it is no checkpoint of this run", origin);
  usage_ = to_tensor(usage->second);
  computed_ = to_tensor(computed->second).item<int64_t>();
}

}  // namespace neo
