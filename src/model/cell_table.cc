#include "model/cell_table.h"

#include <ATen/Parallel.h>

#include <algorithm>

#include "observe/token_embedding.h"

namespace neo {
namespace {
constexpr int64_t kMostKeys = int64_t{1} << 22;
constexpr int64_t kGrain = 64;  // grids worth another thread
}  // namespace

std::unique_ptr<CellTable> CellTable::make(NeoImpl& model) {
  auto* executor = dynamic_cast<LocalExecutor*>(&model.executor());
  auto* observation = dynamic_cast<TokenEmbedding*>(&model.observation());
  if (!executor || !observation || model.space().channels() > 1 || model.space().element() != Element::u8)
    return nullptr;
  const int64_t base = observation->readout().classes() + 1;
  int64_t keys = model.quantizer().config().codes;
  for (size_t i = 0; i < executor->neighbours().size(); ++i) {
    keys *= base;
    if (keys > kMostKeys) return nullptr;
  }
  const auto values = torch::cat({observation->vectors(), executor->outside().unsqueeze(0)});
  return std::unique_ptr<CellTable>(new CellTable(model, *executor, values, keys));
}

CellTable::CellTable(NeoImpl& model, LocalExecutor& executor, torch::Tensor values, int64_t keys)
    : model_(model),
      executor_(executor),
      values_(std::move(values)),
      base_(values_.size(0)),
      codes_(model.quantizer().config().codes),
      row_(static_cast<size_t>(keys), -1) {}

std::vector<int32_t> CellTable::neighbourhoods(const torch::Tensor& observations) const {
  const int64_t rows = executor_.shape().rows;
  const int64_t columns = executor_.shape().columns;
  const int64_t wide = columns + 2;
  const auto base = static_cast<int32_t>(base_);
  const auto cells = observations.contiguous();
  std::vector<int32_t> out(static_cast<size_t>(cells.numel()), 0);
  at::parallel_for(0, cells.size(0), kGrain, [&](int64_t begin, int64_t end) {
    const auto* value = cells.data_ptr<uint8_t>() + begin * rows * columns;
    auto* number = out.data() + begin * rows * columns;
    std::vector<int32_t> padded(static_cast<size_t>((rows + 2) * wide), base - 1);
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t y = 0; y < rows; ++y) {
        auto* line = padded.data() + (y + 1) * wide + 1;
        for (int64_t x = 0; x < columns; ++x) line[x] = *value++;
      }
      for (int64_t y = 0; y < rows; ++y, number += columns) {
        for (const auto& [down, right] : executor_.neighbours()) {
          const auto* line = padded.data() + (y + 1 + down) * wide + 1 + right;
          for (int64_t x = 0; x < columns; ++x) number[x] = number[x] * base + line[x];
        }
      }
    }
  });
  return out;
}

torch::Tensor CellTable::rows(const torch::Tensor& observations, const torch::Tensor& source,
                              const torch::Tensor& codes) {
  const int64_t cells = observations.size(1);
  const std::vector<int32_t> numbers = neighbourhoods(observations);
  const auto from = source.accessor<int64_t, 1>();
  const auto code = codes.accessor<int64_t, 1>();
  auto out = torch::empty({source.size(0), cells}, torch::kInt);
  auto* row = out.data_ptr<int32_t>();
  const auto key = [&](int64_t i, int64_t n) {
    return static_cast<int32_t>(numbers[static_cast<size_t>(from[i] * cells + n)] * codes_ + code[i]);
  };
  // Known ones on all cores; new ones get their numbers in order.
  std::vector<char> is_new(static_cast<size_t>(source.size(0)));
  at::parallel_for(0, source.size(0), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int32_t least = 0;
      for (int64_t n = 0; n < cells; ++n) {
        const int32_t found = row_[static_cast<size_t>(key(i, n))];
        row[i * cells + n] = found;
        least = std::min(least, found);
      }
      is_new[static_cast<size_t>(i)] = least < 0;
    }
  });
  const size_t first = met_.size();
  for (int64_t i = 0; i < source.size(0); ++i) {
    for (int64_t n = 0; is_new[static_cast<size_t>(i)] && n < cells; ++n) {
      int32_t& found = row_[static_cast<size_t>(key(i, n))];
      if (found < 0) {
        found = static_cast<int32_t>(met_.size());
        met_.push_back(key(i, n));
      }
      row[i * cells + n] = found;
    }
  }
  if (met_.size() > first) compute(first);
  return out;
}

void CellTable::compute(size_t first) {
  const auto count = static_cast<int64_t>(met_.size() - first);
  const auto taps = static_cast<int64_t>(executor_.neighbours().size());
  auto around = torch::empty({count, taps}, torch::kLong);
  auto code = torch::empty({count}, torch::kLong);
  auto neighbour = around.accessor<int64_t, 2>();
  for (int64_t i = 0; i < count; ++i) {
    int64_t number = met_[first + static_cast<size_t>(i)];
    code.data_ptr<int64_t>()[i] = number % codes_;
    number /= codes_;
    for (int64_t tap = taps - 1; tap >= 0; --tap, number /= base_) neighbour[i][tap] = number % base_;
  }
  const auto vectors = values_.index_select(0, around.flatten()).view({count, taps, -1});
  const auto next = executor_.cells(vectors, model_.quantizer().vectors(code));
  logits_.push_back(model_.observation().decode(next.unsqueeze(1)).squeeze(1));
}

}  // namespace neo
