#include "model/hard_executor.h"

#include <ATen/Parallel.h>

#include "model/cell_table.h"
#include "model/discovered_executor.h"
#include "model/suffix_table.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

class PlainHardExecutor : public HardExecutor {
 public:
  explicit PlainHardExecutor(NeoImpl& model) : model_(model) {}
  Reading step(const StepBatch& batch) override {
    torch::NoGradGuard no_grad;
    auto& observation = model_.observation();
    const auto state = observation.encode(batch.observations).index_select(0, batch.source);
    return observation.readout().read(observation.decode(model_.step(state, batch.codes)),
                                      batch.targets.index_select(0, batch.source));
  }

 private:
  NeoImpl& model_;
};

// Predictions that recur: for each the best value and -log p of every value.
struct PredictionTable {
  int64_t values = 0;          // V
  std::vector<uint8_t> best;   // [U]
  std::vector<float> loss;     // [U, V]

  void add(const torch::Tensor& logits) {  // [u, V]
    const auto losses = (-torch::log_softmax(logits, -1)).contiguous();
    const auto top = logits.argmax(-1).to(torch::kByte).contiguous();
    best.insert(best.end(), top.data_ptr<uint8_t>(), top.data_ptr<uint8_t>() + top.numel());
    loss.insert(loss.end(), losses.data_ptr<float>(), losses.data_ptr<float>() + losses.numel());
  }

  // rows: int32 [P, N], the prediction of every cell; targets: [U, N], read at `source` [P].
  Reading read(const torch::Tensor& rows, const torch::Tensor& targets, const torch::Tensor& source) const {
    const int64_t count = rows.size(0), cells = rows.size(1);
    Reading reading{torch::empty({count}), torch::empty({count}), torch::empty({count, cells}, torch::kByte),
                    torch::empty({count}, torch::kBool)};
    const auto wanted = targets.contiguous(), from = source.contiguous();
    at::parallel_for(0, count, /*grain_size=*/256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto* row = rows.data_ptr<int32_t>() + i * cells;
        const auto* target = wanted.data_ptr<uint8_t>() + from.data_ptr<int64_t>()[i] * cells;
        auto* hard = reading.hard.data_ptr<uint8_t>() + i * cells;
        float sum = 0, self_sum = 0;
        bool exact = true;
        for (int64_t n = 0; n < cells; ++n) {
          hard[n] = best[static_cast<size_t>(row[n])];
          self_sum += loss[static_cast<size_t>(row[n] * values + hard[n])];
          sum += loss[static_cast<size_t>(row[n] * values + target[n])];
          exact &= hard[n] == target[n];
        }
        reading.loss.data_ptr<float>()[i] = sum / static_cast<float>(cells);
        reading.self_loss.data_ptr<float>()[i] = self_sum / static_cast<float>(cells);
        reading.exact.data_ptr<bool>()[i] = exact;
      }
    });
    return reading;
  }
};

// Looks every cell up in a CellTable.
class CellHardExecutor : public HardExecutor {
 public:
  CellHardExecutor(NeoImpl& model, std::unique_ptr<CellTable> cells)
      : cells_(std::move(cells)), predictions_{model.observation().readout().classes(), {}, {}} {}

  Reading step(const StepBatch& batch) override {
    torch::NoGradGuard no_grad;
    const auto rows = cells_->rows(batch.observations, batch.source, batch.codes);
    const auto known = static_cast<int64_t>(predictions_.best.size());
    if (known < cells_->size()) predictions_.add(cells_->logits().slice(0, known));
    return predictions_.read(rows, batch.targets, batch.source);
  }

 private:
  std::unique_ptr<CellTable> cells_;
  PredictionTable predictions_;
};

// Applies operations to values without decoding anything: the prediction of a cell is that of its new value.
class DiscoveredHardExecutor : public HardExecutor {
 public:
  DiscoveredHardExecutor(NeoImpl& model, const DiscoveredExecutor& executor, const TokenEmbedding& observation)
      : executor_(executor), values_(model.space().most_values()), predictions_{values_, {}, {}} {
    torch::NoGradGuard no_grad;
    const int64_t channels = model.space().channels();
    const auto states = observation.vectors().unsqueeze(1).repeat({1, 1, channels});     // [V, 1, C D]
    const auto logits = model.observation().decode(states);                              // [V, C, V]
    predictions_.add(logits.transpose(0, 1).reshape({channels * values_, values_}));
    channel_ = values_ * (torch::arange(model.space().size(), torch::kInt) % channels);
  }
  // Null if it does not apply.
  static std::unique_ptr<HardExecutor> make(NeoImpl& model) {
    const auto* executor = dynamic_cast<const DiscoveredExecutor*>(&model.executor());
    const auto* observation = dynamic_cast<const TokenEmbedding*>(&model.observation());
    if (!executor || !observation || model.space().element() != Element::u8) return nullptr;
    return std::make_unique<DiscoveredHardExecutor>(model, *executor, *observation);
  }

  Reading step(const StepBatch& batch) override {
    const auto values = executor_.next_values(batch.observations, batch.source, batch.codes);
    return predictions_.read(values + channel_, batch.targets, batch.source);
  }

 private:
  const DiscoveredExecutor& executor_;
  int64_t values_;               // V
  PredictionTable predictions_;  // of value v in channel c at c V + v
  torch::Tensor channel_;        // [N] where the predictions of a cell's channel begin
};

}  // namespace

torch::Tensor HardExecutor::next(const torch::Tensor& observations, const torch::Tensor& codes) {
  return step({observations, observations, torch::arange(observations.size(0)), codes, {}}).hard;
}

std::unique_ptr<HardExecutor> make_plain_hard_executor(NeoImpl& model) {
  return std::make_unique<PlainHardExecutor>(model);
}

std::unique_ptr<HardExecutor> make_hard_executor(NeoImpl& model) {
  if (auto table = CellTable::make(model)) return std::make_unique<CellHardExecutor>(model, std::move(table));
  if (auto executor = DiscoveredHardExecutor::make(model)) return executor;
  if (auto executor = make_suffix_executor(model)) return executor;
  return make_plain_hard_executor(model);
}

torch::Tensor transition_loss(NeoImpl& model, const torch::Tensor& from, const torch::Tensor& codes,
                              const torch::Tensor& to, const torch::Tensor& weights) {
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const auto table = CellTable::make(model);
  if (!table) {
    const auto prediction = observation.decode(model.step(observation.encode(from), codes));
    return (readout.loss(prediction, to) * weights).sum();
  }
  // How much each combination of prediction and value counts is known before any loss is computed.
  const auto rows = table->rows(from, torch::arange(from.size(0)), codes);
  const int64_t cells = from.size(1);
  auto share = torch::zeros({table->size(), readout.classes()});
  const auto values = to.contiguous();
  const auto weight = weights.to(torch::kFloat).contiguous();
  for (int64_t i = 0; i < from.size(0); ++i) {
    const auto* row = rows.data_ptr<int32_t>() + i * cells;
    const auto* value = values.data_ptr<uint8_t>() + i * cells;
    const float each = weight.data_ptr<float>()[i] / static_cast<float>(cells);
    for (int64_t n = 0; n < cells; ++n)
      share.data_ptr<float>()[row[n] * readout.classes() + value[n]] += each;
  }
  return -(share * torch::log_softmax(table->logits(), -1)).sum();
}

}  // namespace neo
