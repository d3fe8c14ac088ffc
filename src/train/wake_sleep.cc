#include "train/wake_sleep.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/weights.h"
#include "search/beam.h"

namespace neo {
namespace {
constexpr double kLeastUsage = 0.02;  // codes below take no part in dreams

// Programs in another order: a permutation of each row's first lengths[b] codes.
Programs shuffled(const Programs& programs, RngStream& random) {
  Programs out{programs.codes.clone(), programs.lengths};
  auto codes = out.codes.accessor<int64_t, 2>();
  const auto lengths = out.lengths.accessor<int64_t, 1>();
  for (int64_t row = 0; row < lengths.size(0); ++row) {
    for (int64_t k = lengths[row] - 1; k > 0; --k)
      std::swap(codes[row][k], codes[row][static_cast<int64_t>(random.below(static_cast<uint64_t>(k + 1)))]);
  }
  return out;
}

// Numbers with up to `most` of their last digits dropped and as many leading zeros in front: room for longer
// programs.
torch::Tensor shifted(const torch::Tensor& x, int64_t most, RngStream& random) {
  auto out = torch::zeros_like(x);
  const int64_t size = x.size(1);
  for (int64_t row = 0; row < x.size(0); ++row) {
    const auto by = static_cast<int64_t>(random.below(static_cast<uint64_t>(std::min(most, size - 1) + 1)));
    out[row].narrow(0, by, size - by).copy_(x[row].narrow(0, 0, size - by));
  }
  return out;
}

// Every observation on the way: [B, K + 1, N], x first.
torch::Tensor trace(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x,
                    const Programs& programs) {
  auto path = run_programs(model, x, {}, programs, {.executor = &executor}).observations;
  while (static_cast<int64_t>(path.size()) <= programs.codes.size(1)) path.push_back(path.back());
  return torch::stack(path, /*dim=*/1);
}

Programs joined(const Programs& a, const Programs& b) {
  const int64_t longest = std::max(a.codes.size(1), b.codes.size(1));
  const auto padded = [longest](const torch::Tensor& codes) {
    return torch::constant_pad_nd(codes, {0, longest - codes.size(1)});
  };
  return {torch::cat({padded(a.codes), padded(b.codes)}), torch::cat({a.lengths, b.lengths})};
}
}  // namespace

WakeSleepObjective::BatchPrograms WakeSleepObjective::explain(HardExecutor& executor,
                                                              const std::vector<int64_t>& codes,
                                                              const PairBatch& batch,
                                                              const StepContext& context) const {
  BeamOptions options{.depth = config_.depth,
                      .width = config_.width,
                      .shortest = config_.search == "shortest",
                      .rule = {Fallback::mdl, config_.lambda}};
  if (!options.shortest) options.price = code_prices(config_.price, context);
  const BeamResult found = beam_search(executor, codes, batch.x, batch.y, options);
  return {found.programs, found.exact};
}

std::vector<Edit> WakeSleepObjective::prune(NeoImpl& model, HardExecutor& executor, const PairBatch& batch,
                                            const StepContext& context) const {
  std::vector<Edit> edits;
  std::vector<int64_t> kept = model.quantizer().active();
  const auto solved = [&](const std::vector<int64_t>& codes) {
    return explain(executor, codes, batch, context).exact.to(torch::kDouble).mean().item<double>();
  };
  const double all = solved(kept);
  auto order = kept;
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return (*context.usage)[static_cast<size_t>(a)] < (*context.usage)[static_cast<size_t>(b)];
  });
  for (int64_t code : order) {
    auto rest = kept;
    std::erase(rest, code);
    if (rest.empty() || solved(rest) < all - config_.prune) continue;
    kept = rest;
    edits.push_back({.kind = Edit::Kind::retire, .code = code});
  }
  return edits;
}

WakeSleepObjective::Transitions WakeSleepObjective::transitions(NeoImpl& model, HardExecutor& executor,
                                                                const PairBatch& batch,
                                                                const BatchPrograms& explanation) const {
  const auto& codes = explanation.programs.codes;
  const auto& lengths = explanation.programs.lengths;
  const auto path = trace(model, executor, batch.x, explanation.programs);  // [B, K + 1, N]
  const auto all = torch::arange(lengths.size(0));
  const auto earlier = (torch::arange(codes.size(1)).unsqueeze(0) < (lengths - 1).unsqueeze(1))
                           .logical_and(explanation.exact.unsqueeze(1))
                           .nonzero();
  const auto row = torch::cat({all, earlier.select(1, 0)});
  const auto k = torch::cat({lengths - 1, earlier.select(1, 1)});
  return {path.index({row, k}),
          torch::cat({batch.y, path.index({earlier.select(1, 0), earlier.select(1, 1) + 1})}),
          codes.index({row, k}),
          torch::cat({torch::full({all.size(0)}, config_.reconstruction),
                      torch::full({earlier.size(0)}, config_.grounding)})};
}

torch::Tensor WakeSleepObjective::wake_loss(NeoImpl& model, const Transitions& now, RngStream& random) {
  Transitions learned = now;
  if (config_.memory > 0) {
    memory_.push_back(now);
    if (static_cast<int64_t>(memory_.size()) > config_.memory) memory_.erase(memory_.begin());
    const Transitions& then = memory_[random.below(memory_.size())];
    learned = {torch::cat({now.from, then.from}), torch::cat({now.to, then.to}),
               torch::cat({now.codes, then.codes}), torch::cat({now.weights, then.weights})};
  }
  return transition_loss(model, learned.from, learned.codes, learned.to,
                         learned.weights / learned.weights.sum());
}

void WakeSleepObjective::save(std::map<std::string, TensorData>& out) const {
  for (size_t i = 0; i < memory_.size(); ++i) {
    const auto put = [&](const char* name, const torch::Tensor& value) {
      out[fmt::format("memory.{}.{}", i, name)] = to_tensor_data(value);
    };
    put("from", memory_[i].from);
    put("to", memory_[i].to);
    put("codes", memory_[i].codes);
    put("weights", memory_[i].weights);
  }
}

void WakeSleepObjective::load(const std::map<std::string, TensorData>& in) {
  memory_.clear();
  for (size_t i = 0; in.contains(fmt::format("memory.{}.from", i)); ++i) {
    const auto get = [&](const char* name) { return to_tensor(in.at(fmt::format("memory.{}.{}", i, name))); };
    memory_.push_back({get("from"), get("to"), get("codes"), get("weights")});
  }
}

Programs WakeSleepObjective::dream(NeoImpl& model, HardExecutor& executor, const torch::Tensor& x,
                                   const StepContext& context) const {
  const int64_t rows = x.size(0);
  std::vector<double> likely(context.usage->size(), 0.0);
  for (int64_t code : model.quantizer().active()) {
    const double share = (*context.usage)[static_cast<size_t>(code)];
    if (share > kLeastUsage) likely[static_cast<size_t>(code)] = share;
  }
  const double total = std::accumulate(likely.begin(), likely.end(), 0.0);
  Programs programs{torch::zeros({rows, config_.dream_length}, torch::kLong),
                    torch::zeros({rows}, torch::kLong)};
  auto codes = programs.codes.accessor<int64_t, 2>();
  for (int64_t row = 0; row < rows; ++row) {
    programs.lengths.data_ptr<int64_t>()[row] =
        1 + static_cast<int64_t>(context.random->below(static_cast<uint64_t>(config_.dream_length)));
    for (int64_t k = 0; k < config_.dream_length; ++k) {
      double left = context.random->uniform() * total;
      int64_t code = 0;
      for (size_t c = 0; c < likely.size() && left >= 0; ++c) {
        if (likely[c] > 0) code = static_cast<int64_t>(c);
        left -= likely[c];
      }
      codes[row][k] = code;
    }
  }
  if (config_.dream_shift > 0) {  // inputs were moved to make room: a dream ends when it is used up
    const auto full = (trace(model, executor, x, programs).select(2, 0) != 0).to(torch::kInt);
    programs.lengths =
        torch::where(full.any(1), torch::min(programs.lengths, full.argmax(1)), programs.lengths);
  }
  return programs;
}

torch::Tensor WakeSleepObjective::programmer_loss(NeoImpl& model, HardExecutor& executor,
                                                  const torch::Tensor& x, const Programs& programs) const {
  auto& observation = model.observation();
  const int64_t longest = programs.codes.size(1);
  const auto path = trace(model, executor, x, programs);  // [B, K + 1, N]
  const auto goal = path.select(1, longest);
  // A program that passes its own end before it is over ends there.
  const auto arrival = (path == goal.unsqueeze(1)).all(2).to(torch::kInt).argmax(1);
  const auto steps = (torch::arange(longest).unsqueeze(0) < arrival.unsqueeze(1)).nonzero();
  if (steps.size(0) == 0) return {};
  const auto row = steps.select(1, 0);
  const auto k = steps.select(1, 1);
  auto& programmer = model.programmer();
  // Goals are looked at once per program, not once per step.
  return programmer_cross_entropy(
      model, programmer.encode_state_observation(observation, path.index({row, k})),
      programmer.encode_target_observation(observation, goal).index_select(0, row),
      programs.codes.index({row, k}), config_.programmer_temperature);
}

void WakeSleepObjective::edited(const Edit& edit) {
  if (edit.kind == Edit::Kind::reinitialise) memory_.clear();  // what the code meant before is over
  executor_.reset();
}

StepResult WakeSleepObjective::compute(NeoImpl& model, const PairBatch& whole, const StepContext& context) {
  const bool both = config_.wake_steps == 0;
  const bool wakes = both || context.step < config_.wake_steps;
  const bool sleeps = !wakes || (both && context.step >= config_.dream_start);
  if (!executor_) executor_ = make_hard_executor(model);
  HardExecutor& executor = *executor_;
  PairBatch batch = whole;
  if (!wakes && config_.replay_batch > 0) {
    const int64_t rows = std::min(config_.replay_batch, whole.x.size(0));
    batch = {whole.x.narrow(0, 0, rows), whole.y.narrow(0, 0, rows)};
  }
  const BatchPrograms explanation = explain(executor, model.quantizer().active(), batch, context);
  StepResult result;
  result.loss = torch::zeros({});
  if (wakes && model.executor().learns()) {
    const auto loss = wake_loss(model, transitions(model, executor, batch, explanation), *context.random);
    result.loss = result.loss + loss;
    result.losses["wake"] = loss.item<double>();
  }
  const int64_t prune_at = both ? context.total * 3 / 4 : config_.wake_steps;
  if (config_.prune > 0 && context.step + 1 == prune_at)
    result.edits = prune(model, executor, whole, context);
  if (sleeps) {
    auto inputs = whole.x.index_select(0, torch::arange(config_.dreams).remainder(whole.x.size(0)));
    if (config_.dream_shift > 0) inputs = shifted(inputs, config_.dream_shift, *context.random);
    const auto replayed =
        config_.shuffle ? shuffled(explanation.programs, *context.random) : explanation.programs;
    const auto loss = programmer_loss(model, executor, torch::cat({batch.x, inputs}),
                                      joined(replayed, dream(model, executor, inputs, context)));
    if (loss.defined()) {
      result.loss = result.loss + config_.programmer_weight * loss;
      result.losses["programmer"] = loss.item<double>();
    }
  }
  result.solved = explanation.exact.to(torch::kDouble).mean().item<double>();
  count_codes(explanation.programs, model.quantizer().config().codes, result);
  if (wakes && model.executor().learns()) executor_.reset();  // the weights are about to move
  return result;
}

}  // namespace neo
