#include "model/hard_executor.h"

#include <ATen/Parallel.h>

#include "model/cell_table.h"
#include "model/suffix_table.h"

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

// Looks every cell up in a CellTable.
class CellHardExecutor : public HardExecutor {
 public:
  CellHardExecutor(NeoImpl& model, std::unique_ptr<CellTable> table)
      : values_(model.observation().readout().classes()), table_(std::move(table)) {}

  Reading step(const StepBatch& batch) override {
    torch::NoGradGuard no_grad;
    const auto rows = table_->rows(batch.observations, batch.source, batch.codes);
    extend();
    const int64_t count = rows.size(0);
    const int64_t cells = rows.size(1);
    Reading reading{torch::empty({count}), torch::empty({count}), torch::empty({count, cells}, torch::kByte),
                    torch::empty({count}, torch::kBool)};
    const auto targets = batch.targets.contiguous();
    const auto* source = batch.source.data_ptr<int64_t>();
    at::parallel_for(0, count, /*grain_size=*/256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto* row = rows.data_ptr<int32_t>() + i * cells;
        const auto* target = targets.data_ptr<uint8_t>() + source[i] * cells;
        auto* hard = reading.hard.data_ptr<uint8_t>() + i * cells;
        float loss = 0, self_loss = 0;
        bool exact = true;
        for (int64_t n = 0; n < cells; ++n) {
          hard[n] = best_[static_cast<size_t>(row[n])];
          self_loss += loss_[static_cast<size_t>(row[n] * values_ + hard[n])];
          loss += loss_[static_cast<size_t>(row[n] * values_ + target[n])];
          exact &= hard[n] == target[n];
        }
        reading.loss.data_ptr<float>()[i] = loss / static_cast<float>(cells);
        reading.self_loss.data_ptr<float>()[i] = self_loss / static_cast<float>(cells);
        reading.exact.data_ptr<bool>()[i] = exact;
      }
    });
    return reading;
  }

 private:
  // Best value and -log p of every value, for what the table has learned since.
  void extend() {
    const auto known = static_cast<int64_t>(best_.size());
    if (known == table_->size()) return;
    const auto fresh = table_->logits().slice(0, known);
    const auto losses = (-torch::log_softmax(fresh, -1)).contiguous();
    const auto best = fresh.argmax(-1).to(torch::kByte).contiguous();
    best_.insert(best_.end(), best.data_ptr<uint8_t>(), best.data_ptr<uint8_t>() + best.numel());
    loss_.insert(loss_.end(), losses.data_ptr<float>(), losses.data_ptr<float>() + losses.numel());
  }

  int64_t values_;
  std::unique_ptr<CellTable> table_;
  std::vector<uint8_t> best_;  // [U]
  std::vector<float> loss_;    // [U, V]
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
