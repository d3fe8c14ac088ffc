#include "train/latent_wake_sleep.h"

#include <algorithm>

#include "kernels/row_parallel.h"
#include "model/weights.h"

namespace neo {
namespace {
constexpr double kFloor = 1e-3;      // residuals below are as good as none
constexpr double kExplained = 0.05;  // residuals below count as solved
constexpr double kSplitNoise = 0.3;
// Least squares: a step counts 1 % less with every later step; ten steps between fits; the map of an unused
// code stays the identity.
constexpr double kMemory = 0.99, kRidge = 1.0;
constexpr int64_t kRefit = 10;
constexpr size_t kInputs = size_t{1} << 16;  // states remembered; 1 KiB each at 256 dimensions
constexpr int64_t kRowsAtOnce = 32;  // whose states after every program of two codes stay in a core's cache

// [B, P]: each row the sum over the rows of its group.
torch::Tensor summed_by(const torch::Tensor& rows, const torch::Tensor& group) {
  const auto [distinct, index] = at::_unique(group, /*sorted=*/true, /*return_inverse=*/true);
  return torch::zeros({distinct.size(0), rows.size(1)}).index_add_(0, index, rows).index_select(0, index);
}

torch::Tensor last_codes(const Programs& programs) {  // [B]
  return programs.codes.gather(1, (programs.lengths - 1).unsqueeze(1)).squeeze(1);
}
}  // namespace

torch::Tensor state_importance(const ObservationModel& observation, int64_t dimensions, double spread_power) {
  const auto spread = observation.spread();
  if (!spread.defined()) return torch::full({dimensions}, 1.0 / static_cast<double>(dimensions));
  const auto weight = spread.narrow(0, 0, dimensions).pow(spread_power);
  return weight / weight.sum();
}

LatentWakeSleepObjective::LatentPrograms LatentWakeSleepObjective::explain(NeoImpl& model,
                                                                           const torch::Tensor& from,
                                                                           const torch::Tensor& to,
                                                                           const torch::Tensor& group,
                                                                           const StepContext& context) const {
  torch::NoGradGuard no_grad;
  const int64_t width = from.size(2);
  const CodeMaps maps(model, width);
  const ConvLayer every = maps.side_by_side();
  const auto active = torch::tensor(maps.codes(), torch::kLong);
  const int64_t codes = active.size(0);
  const auto weight = importance(model.observation(), width);
  const auto left = by_rows(
      {from, to}, {},
      [&](const std::vector<torch::Tensor>& pairs) {  // [b, 1, d] each -> [b, Z + Z Z]
        const auto residual = [&](torch::Tensor reached) {
          return reached.sub_(pairs[1]).square_().matmul(weight);
        };
        const int64_t count = pairs[0].size(0);
        const auto one = torch::empty({count, codes, width});
        const auto two = torch::empty({count, codes * codes, width});
        run_plan(every.forward_plan(), pairs[0].data_ptr<float>(), one.data_ptr<float>(), count);
        run_plan(every.forward_plan(), one.data_ptr<float>(), two.data_ptr<float>(), count * codes);
        return torch::cat({residual(one), residual(two)}, 1);
      },
      kRowsAtOnce);

  const auto price = code_prices(config_.price, context).index_select(0, active);
  const auto pair_price = (price.unsqueeze(1) + price.unsqueeze(0)).flatten();
  const auto cost = (left + kFloor).log() + torch::cat({price, pair_price});
  const auto best = (group.defined() ? summed_by(cost, group) : cost).argmin(1);
  const auto is_two = best >= codes;
  const auto within = best - codes;
  const auto first = torch::where(is_two, within.div(codes, "floor"), best);
  const auto last = torch::where(is_two, within.remainder(codes), torch::zeros_like(best));
  LatentPrograms e;
  e.programs = {torch::stack({active.index_select(0, first), active.index_select(0, last)}, 1),
                is_two.to(torch::kLong) + 1};
  e.residual = left.gather(1, best.unsqueeze(1)).squeeze(1);
  return e;
}

Edit LatentWakeSleepObjective::split_worst_code(NeoImpl& model, const LatentPrograms& explanation,
                                                const StepContext& context) const {
  const auto& usage = *context.usage;
  const auto idle = std::min_element(usage.begin(), usage.end()) - usage.begin();
  const auto last = last_codes(explanation.programs);
  const auto excess = ((explanation.residual + kFloor) / kFloor).log();
  const auto total = torch::zeros({static_cast<int64_t>(usage.size())}).index_add_(0, last, excess);
  const auto worst_code = model.quantizer().vectors(total.argmax().unsqueeze(0));
  const int64_t width = model.observation().state().width;
  auto noise = torch::empty({width, width});
  for (int64_t i = 0; i < noise.numel(); ++i)
    noise.data_ptr<float>()[i] = static_cast<float>(2 * context.random->uniform() - 1);
  const auto worst = linear_executor(model).affine(worst_code, width);
  const double scale = kSplitNoise * std::sqrt(3.0 / static_cast<double>(width));
  return {.kind = Edit::Kind::set_map,
          .code = idle,
          .map = (worst.map[0] + scale * noise).detach(),
          .offset = worst.offset[0].detach()};
}

torch::Tensor LatentWakeSleepObjective::programmer_loss(NeoImpl& model, const torch::Tensor& state,
                                                        const Programs& explanations,
                                                        const StepContext& context) {
  const auto active = model.quantizer().active();
  const int64_t rows = state.size(0);
  const int64_t explained = explanations.codes.size(0);
  const int64_t longest = std::max<int64_t>(config_.dream_length, 2);  // explanations have up to two codes
  auto codes = torch::constant_pad_nd(explanations.codes, {0, longest - 2, 0, rows - explained});
  auto lengths = torch::constant_pad_nd(explanations.lengths, {0, rows - explained});
  auto code = codes.accessor<int64_t, 2>();
  for (int64_t row = explained; row < rows; ++row) {
    lengths.data_ptr<int64_t>()[row] =
        1 + static_cast<int64_t>(context.random->below(static_cast<uint64_t>(longest)));
    for (int64_t k = 0; k < longest; ++k) code[row][k] = active[context.random->below(active.size())];
  }
  const auto within = torch::arange(longest).unsqueeze(0) < lengths.unsqueeze(1);  // [B, K]
  std::vector<torch::Tensor> path{state};
  {
    torch::NoGradGuard no_grad;
    const CodeMaps& maps = cached_maps(model, state.size(2));
    const auto running = codes.masked_fill(~within, -1);
    for (int64_t k = 0; k < longest; ++k) path.push_back(maps.step(path.back(), running.select(1, k)));
  }
  const auto steps = within.nonzero();
  const auto row = steps.select(1, 0);
  const auto k = steps.select(1, 1);
  auto& programmer = model.programmer();
  return programmer_cross_entropy(model, programmer.encode_state(torch::stack(path, 1).index({row, k})),
                                  programmer.encode_target(path.back()).index_select(0, row),
                                  codes.index({row, k}), config_.programmer_temperature);
}

LatentWakeSleepObjective::LastStep LatentWakeSleepObjective::last_step(const CodeMaps& maps,
                                                                       const torch::Tensor& from,
                                                                       const Programs& programs) const {
  torch::NoGradGuard no_grad;
  const auto first = programs.codes.select(1, 0).masked_fill(programs.lengths == 1, -1);
  return {maps.step(from, first), last_codes(programs)};
}

const CodeMaps& LatentWakeSleepObjective::cached_maps(NeoImpl& model, int64_t dimensions) {
  if (!maps_ || maps_->dimensions() != dimensions || maps_->codes() != model.quantizer().active())
    maps_.emplace(model, dimensions);
  return *maps_;
}

torch::Tensor LatentWakeSleepObjective::weighted_residual(NeoImpl& model, const torch::Tensor& reached,
                                                          const torch::Tensor& to) const {
  const auto squares = (reached - to).square().squeeze(1);
  return squares.matmul(importance(model.observation(), to.size(2))).mean();
}

std::vector<Edit> LatentWakeSleepObjective::fit_maps(NeoImpl& model, const LastStep& last,
                                                     const torch::Tensor& to, int64_t step) {
  torch::NoGradGuard no_grad;
  const auto state = last.state.squeeze(1);
  const int64_t width = state.size(1);
  const auto extended = torch::constant_pad_nd(state, {0, 1}, 1.0);
  const auto both = torch::cat({extended, to.squeeze(1) - state}, 1);
  if (!moments_.defined())
    moments_ = torch::zeros({model.quantizer().config().codes, width + 1, 2 * width + 1});
  for (int64_t code : model.quantizer().active()) {
    const auto rows = (last.code == code).nonzero().squeeze(1);
    const auto sides = both.index_select(0, rows);
    moments_[code].addmm_(sides.narrow(1, 0, width + 1).t(), sides, kMemory);
  }
  std::vector<Edit> edits;
  if (step % kRefit != 0) return edits;
  const auto ridge = kRidge * torch::eye(width + 1);
  for (int64_t code : model.quantizer().active()) {
    const auto squares = moments_[code].narrow(1, 0, width + 1);
    const auto products = moments_[code].narrow(1, width + 1, width);
    const auto map = torch::linalg_solve(squares + ridge, products, /*left=*/true);
    edits.push_back(
        {.kind = Edit::Kind::set_map, .code = code, .map = map.slice(0, 0, width), .offset = map[width]});
  }
  return edits;
}

void LatentWakeSleepObjective::save(std::map<std::string, TensorData>& out) const {
  if (moments_.defined()) out["fit.moments"] = to_tensor_data(moments_);
}

void LatentWakeSleepObjective::load(const std::map<std::string, TensorData>& in) {
  maps_.reset();
  if (in.contains("fit.moments")) moments_ = to_tensor(in.at("fit.moments"));
}

bool LatentWakeSleepObjective::is_coarse(int64_t step) const {
  return static_cast<double>(step) < config_.coarse_share * static_cast<double>(config_.wake_steps);
}

int64_t LatentWakeSleepObjective::leading(NeoImpl& model) const {
  return std::min(config_.coarse_dims, model.observation().state().width);
}

torch::Tensor LatentWakeSleepObjective::encode_inputs(NeoImpl& model, const torch::Tensor& x) {
  const auto encode = [&observation = model.observation()](const torch::Tensor& unknown) {
    return observation.encode(unknown).squeeze(1);
  };
  if (!inputs_) inputs_.emplace(model.observation().state().width, encode, kInputs);
  return (*inputs_)(x).unsqueeze(1);
}

LatentWakeSleepObjective::LatentPrograms LatentWakeSleepObjective::wake(NeoImpl& model,
                                                                        const PairBatch& batch,
                                                                        const StepContext& context,
                                                                        StepResult& result) {
  auto& observation = model.observation();
  const bool coarse = is_coarse(context.step);
  const int64_t dimensions = coarse ? leading(model) : model.observation().state().width;
  const auto from = encode_inputs(model, batch.x).narrow(2, 0, dimensions).contiguous();
  const auto to = observation.encode_leading(batch.y, dimensions);
  const auto first = [&](const torch::Tensor& state) {
    return state.narrow(2, 0, leading(model)).contiguous();
  };
  LatentPrograms explanation = explain(model, first(from), first(to), batch.group, context);
  if (coarse && config_.split_every > 0 && context.step > config_.price.balance_steps &&
      context.step % config_.split_every == 0)
    result.edits.push_back(split_worst_code(model, explanation, context));
  if (coarse) {
    const LastStep last = last_step(CodeMaps(model, dimensions), from, explanation.programs);
    result.loss = weighted_residual(model, model.step(last.state, last.code), to);
  } else {
    const LastStep last = last_step(cached_maps(model, dimensions), from, explanation.programs);
    result.edits = fit_maps(model, last, to, context.step);
    torch::NoGradGuard no_grad;
    result.loss = weighted_residual(model, cached_maps(model, dimensions).step(last.state, last.code), to);
  }
  result.losses["wake"] = result.loss.item<double>();
  return explanation;
}

LatentWakeSleepObjective::LatentPrograms LatentWakeSleepObjective::sleep(NeoImpl& model,
                                                                         const PairBatch& batch,
                                                                         const StepContext& context,
                                                                         StepResult& result) {
  auto& observation = model.observation();
  const auto state = encode_inputs(model, batch.x);
  // Only half of the rows follow an explanation and need one.
  const int64_t count = (batch.x.size(0) + 1) / 2;
  const auto group = batch.group.defined() ? batch.group.narrow(0, 0, count) : batch.group;
  LatentPrograms explanation =
      explain(model, state.narrow(0, 0, count).narrow(2, 0, leading(model)).contiguous(),
              observation.encode_leading(batch.y.narrow(0, 0, count), leading(model)), group, context);
  result.loss = programmer_loss(model, state, explanation.programs, context);
  result.losses["programmer"] = result.loss.item<double>();
  return explanation;
}

StepResult LatentWakeSleepObjective::compute(NeoImpl& model, const PairBatch& batch,
                                             const StepContext& context) {
  StepResult result;
  const LatentPrograms explanation = context.step < config_.wake_steps ? wake(model, batch, context, result)
                                                                       : sleep(model, batch, context, result);
  result.losses["residual"] = explanation.residual.mean().item<double>();
  result.losses["log_residual"] = (explanation.residual + kFloor).log().mean().item<double>();
  result.solved = (explanation.residual < kExplained).to(torch::kDouble).mean().item<double>();
  count_codes(explanation.programs, model.quantizer().config().codes, result);
  return result;
}

}  // namespace neo
