#include "train/latent_wake_sleep.h"

#include <algorithm>

#include "core/error.h"
#include "model/weights.h"

namespace neo {
namespace {
constexpr double kFloor = 1e-3;      // residuals below are as good as none
constexpr double kExplained = 0.05;  // residuals below count as solved
constexpr double kSplitNoise = 0.3;
// Least squares: what a step says counts 1 % less with every later step; ten steps between fits; and a map
// that nobody uses stays the identity.
constexpr double kMemory = 0.99, kRidge = 1.0;
constexpr int64_t kRefit = 10;

BilinearExecutor& linear_executor(NeoImpl& model) {
  auto* executor = dynamic_cast<BilinearExecutor*>(&model.executor());
  if (!executor)
    fail_usage("objective latent-wake-sleep needs executor.kind = \"bilinear\": a linear map for each code");
  return *executor;
}

// One code on each state, without gradient. Code by code: the executor's own step runs a map per dimension of
// the action on every row, ten times the work.
torch::Tensor next_states(NeoImpl& model, const torch::Tensor& states, const torch::Tensor& codes) {
  auto next = torch::empty_like(states);
  for (int64_t code : model.quantizer().active()) {
    const auto rows = (codes == code).nonzero().squeeze(1);
    if (rows.size(0) == 0) continue;
    const auto action = model.quantizer().vectors(torch::tensor({code}));
    next.index_copy_(0, rows, model.executor().every_action(states.index_select(0, rows), action).squeeze(1));
  }
  return next;
}

torch::Tensor last_codes(const Programs& programs) {  // [B]
  return programs.codes.gather(1, (programs.lengths - 1).unsqueeze(1)).squeeze(1);
}
}  // namespace

torch::Tensor LatentWakeSleepObjective::importance(ObservationModel& observation, int64_t dimensions) const {
  const auto spread = observation.spread();
  if (!spread.defined()) return torch::full({dimensions}, 1.0 / static_cast<double>(dimensions));
  const auto weight = spread.narrow(0, 0, dimensions).pow(config_.spread_power);
  return weight / weight.sum();
}

LatentWakeSleepObjective::Explanation LatentWakeSleepObjective::explain(NeoImpl& model,
                                                                        const torch::Tensor& from,
                                                                        const torch::Tensor& to,
                                                                        const StepContext& context) const {
  torch::NoGradGuard no_grad;
  const int64_t rows = from.size(0);
  const int64_t width = from.size(2);
  const auto active = torch::tensor(model.quantizer().active(), torch::kLong);
  const int64_t codes = active.size(0);
  const auto actions = model.quantizer().vectors(active);
  const auto weight = importance(model.observation(), width);
  const auto target = to.view({rows, 1, width});
  const auto residual = [&](const torch::Tensor& predicted) {
    return (predicted - target).square().matmul(weight);
  };
  const auto one = model.executor().every_action(from, actions).squeeze(2);  // [B, Z, d]
  const auto two =
      model.executor().every_action(one.reshape({-1, 1, width}), actions).view({rows, -1, width});
  const auto left = torch::cat({residual(one), residual(two)}, 1);  // [B, Z + Z Z]

  const auto price = code_prices(config_, context).index_select(0, active);
  const auto pair_price = (price.unsqueeze(1) + price.unsqueeze(0)).flatten();
  const auto cost = (left + kFloor).log() + torch::cat({price, pair_price});
  // Rows 2i and 2i+1 are the two pairs of an episode.
  const auto best = (cost.view({rows / 2, 2, -1}).sum(1)).argmin(1).repeat_interleave(2);
  const auto is_two = best >= codes;
  const auto within = best - codes;
  const auto first = torch::where(is_two, within.div(codes, "floor"), best);
  const auto last = torch::where(is_two, within.remainder(codes), torch::zeros_like(best));
  Explanation e;
  e.programs = {torch::stack({active.index_select(0, first), active.index_select(0, last)}, 1),
                is_two.to(torch::kLong) + 1};
  e.residual = left.gather(1, best.unsqueeze(1)).squeeze(1);
  return e;
}

// A code that nobody needs tries to do better what is done worst.
void LatentWakeSleepObjective::split_worst_code(NeoImpl& model, const Explanation& explanation,
                                                const StepContext& context) const {
  const auto& usage = *context.usage;
  const auto idle = std::min_element(usage.begin(), usage.end()) - usage.begin();
  const auto last = last_codes(explanation.programs);
  const auto excess = ((explanation.residual + kFloor) / kFloor).log();
  const auto total = torch::zeros({static_cast<int64_t>(usage.size())}).index_add_(0, last, excess);
  const auto vectors = model.quantizer().vectors(torch::stack({total.argmax(), torch::tensor(idle)}));
  const int64_t width = model.observation().spread().size(0);
  auto noise = torch::empty({width, width});
  for (int64_t i = 0; i < noise.numel(); ++i)
    noise.data_ptr<float>()[i] = static_cast<float>(2 * context.random->uniform() - 1);
  auto& executor = linear_executor(model);
  auto copy = executor.affine(vectors[0]);
  copy.map = copy.map + noise * (kSplitNoise * std::sqrt(3.0 / static_cast<double>(width)));
  executor.become(vectors[1], copy);
}

torch::Tensor LatentWakeSleepObjective::naming_loss(NeoImpl& model, const torch::Tensor& state,
                                                    const Explanation& explanation,
                                                    const StepContext& context) const {
  const auto active = model.quantizer().active();
  const int64_t rows = state.size(0);
  const int64_t longest = std::max<int64_t>(config_.dream_length, 2);  // explanations are
  // Half of the rows follow their explanation, half a random program.
  auto codes = torch::constant_pad_nd(explanation.programs.codes, {0, longest - 2});
  auto lengths = explanation.programs.lengths.clone();
  auto code = codes.accessor<int64_t, 2>();
  for (int64_t row = 0; row < rows; ++row) {
    if (row % 4 < 2) continue;
    lengths.data_ptr<int64_t>()[row] =
        1 + static_cast<int64_t>(context.random->below(static_cast<uint64_t>(longest)));
    for (int64_t k = 0; k < longest; ++k) code[row][k] = active[context.random->below(active.size())];
  }
  std::vector<torch::Tensor> path{state};
  {
    torch::NoGradGuard no_grad;
    for (int64_t k = 0; k < longest; ++k) {
      const auto running = (lengths > k).view({rows, 1, 1});
      path.push_back(torch::where(running, next_states(model, path.back(), codes.select(1, k)), path.back()));
    }
  }
  const auto steps = (torch::arange(longest).unsqueeze(0) < lengths.unsqueeze(1)).nonzero();
  const auto row = steps.select(1, 0);
  const auto k = steps.select(1, 1);
  auto& programmer = model.programmer();
  return naming_cross_entropy(model, programmer.look(torch::stack(path, 1).index({row, k})),
                              programmer.look(path.back()).index_select(0, row), codes.index({row, k}),
                              config_.naming_temperature);
}

LatentWakeSleepObjective::LastStep LatentWakeSleepObjective::last_step(NeoImpl& model,
                                                                       const torch::Tensor& from,
                                                                       const Programs& programs) const {
  torch::NoGradGuard no_grad;
  const auto& codes = programs.codes;
  const auto& lengths = programs.lengths;
  return {torch::where((lengths == 2).view({-1, 1, 1}), next_states(model, from, codes.select(1, 0)), from),
          last_codes(programs)};
}

torch::Tensor LatentWakeSleepObjective::wake_loss(NeoImpl& model, const LastStep& last,
                                                  const torch::Tensor& to) const {
  const auto miss = (model.step(last.state, last.code) - to).square().squeeze(1);
  return miss.matmul(importance(model.observation(), to.size(2))).mean();
}

void LatentWakeSleepObjective::fit_maps(NeoImpl& model, const LastStep& last, const torch::Tensor& to,
                                        int64_t step) {
  torch::NoGradGuard no_grad;
  const auto state = last.state.squeeze(1);
  const int64_t width = state.size(1);
  const auto extended = torch::constant_pad_nd(state, {0, 1}, 1.0);
  const auto change = to.squeeze(1) - state;
  if (!squares_.defined()) {
    const int64_t codes = model.quantizer().config().codes;
    squares_ = torch::zeros({codes, width + 1, width + 1});
    products_ = torch::zeros({codes, width + 1, width});
  }
  squares_.mul_(kMemory);
  products_.mul_(kMemory);
  for (int64_t code : model.quantizer().active()) {
    const auto rows = (last.code == code).nonzero().squeeze(1);
    if (rows.size(0) == 0) continue;
    const auto x = extended.index_select(0, rows);
    squares_[code] += x.t().matmul(x);
    products_[code] += x.t().matmul(change.index_select(0, rows));
  }
  if (step % kRefit != 0) return;
  const auto ridge = kRidge * torch::eye(width + 1);
  for (int64_t code : model.quantizer().active()) {
    const auto map = torch::linalg_solve(squares_[code] + ridge, products_[code], /*left=*/true);
    linear_executor(model).become(model.quantizer().vectors(torch::tensor({code})).squeeze(0),
                                  {map.slice(0, 0, width), map[width]});
  }
}

void LatentWakeSleepObjective::save(std::map<std::string, TensorData>& out) const {
  if (!squares_.defined()) return;
  out["fit.squares"] = to_tensor_data(squares_);
  out["fit.products"] = to_tensor_data(products_);
}

void LatentWakeSleepObjective::load(const std::map<std::string, TensorData>& in) {
  if (!in.contains("fit.squares")) return;
  squares_ = to_tensor(in.at("fit.squares"));
  products_ = to_tensor(in.at("fit.products"));
}

StepResult LatentWakeSleepObjective::compute(NeoImpl& model, const PairBatch& batch,
                                             const StepContext& context) {
  auto& observation = model.observation();
  const auto from = observation.encode(batch.x);
  const auto to = observation.encode(batch.y);
  const auto leading = [this](const torch::Tensor& state) {
    return state.narrow(2, 0, std::min(config_.coarse, state.size(2))).contiguous();
  };
  const Explanation explanation = explain(model, leading(from), leading(to), context);
  StepResult result;
  if (context.step < config_.wake_steps) {
    const bool coarse =
        static_cast<double>(context.step) < config_.coarse_share * static_cast<double>(config_.wake_steps);
    if (coarse && config_.split_every > 0 && context.step > config_.balance_steps &&
        context.step % config_.split_every == 0)
      split_worst_code(model, explanation, context);
    if (coarse) {
      result.loss = wake_loss(model, last_step(model, leading(from), explanation.programs), leading(to));
    } else {
      const LastStep last = last_step(model, from, explanation.programs);
      fit_maps(model, last, to, context.step);
      torch::NoGradGuard no_grad;
      result.loss = wake_loss(model, last, to);
    }
    result.losses["wake"] = result.loss.item<double>();
  } else {
    result.loss = naming_loss(model, from, explanation, context);
    result.losses["naming"] = result.loss.item<double>();
  }
  result.losses["residual"] = explanation.residual.mean().item<double>();
  result.losses["log_residual"] = (explanation.residual + kFloor).log().mean().item<double>();
  result.solved = (explanation.residual < kExplained).to(torch::kDouble).mean().item<double>();
  count_codes(explanation.programs, model.quantizer().config().codes, result);
  return result;
}

}  // namespace neo
