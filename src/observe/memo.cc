#include "observe/memo.h"

namespace neo {

EncodingMemo::EncodingMemo(int64_t width, Encode encode, size_t most)
    : width_(width), encode_(std::move(encode)), most_(most) {}

torch::Tensor EncodingMemo::operator()(const torch::Tensor& observations) {
  const auto plain = observations.contiguous();
  const int64_t rows = plain.size(0);
  const auto bytes = static_cast<size_t>(plain.size(1));
  const auto* data = reinterpret_cast<const char*>(plain.data_ptr<uint8_t>());
  if (row_of_.size() + static_cast<size_t>(rows) > most_) {
    row_of_.clear();
    states_.clear();
  }
  std::vector<int64_t> row(static_cast<size_t>(rows));
  std::vector<int64_t> unknown;  // indices into the batch, each new observation once
  auto next = static_cast<int64_t>(row_of_.size());
  for (int64_t i = 0; i < rows; ++i) {
    const auto [entry, is_new] =
        row_of_.try_emplace(std::string(data + static_cast<size_t>(i) * bytes, bytes), next);
    if (is_new) {
      unknown.push_back(i);
      ++next;
    }
    row[static_cast<size_t>(i)] = entry->second;
  }
  if (!unknown.empty()) {
    const auto states = encode_(plain.index_select(0, torch::tensor(unknown, torch::kLong))).contiguous();
    states_.insert(states_.end(), states.data_ptr<float>(), states.data_ptr<float>() + states.numel());
  }
  auto out = torch::empty({rows, width_});
  auto* target = out.data_ptr<float>();
  for (int64_t i = 0; i < rows; ++i) {
    std::copy_n(&states_[static_cast<size_t>(row[static_cast<size_t>(i)] * width_)], width_,
                target + i * width_);
  }
  return out;
}

}  // namespace neo
