#include "observe/memo.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace neo {
namespace {
constexpr size_t kFirstSlots = 1024;
constexpr int64_t kGrain = 256;  // rows worth a thread
}  // namespace

EncodingMemo::EncodingMemo(int64_t width, Encode encode, size_t most)
    : width_(width), encode_(std::move(encode)), most_(most) {
  forget();
}

void EncodingMemo::forget() {
  slots_.assign(kFirstSlots, -1);
  hashes_.clear();
  keys_.clear();
  states_.clear();
}

void EncodingMemo::grow() {
  slots_.assign(2 * slots_.size(), -1);
  const size_t mask = slots_.size() - 1;
  for (size_t row = 0; row < hashes_.size(); ++row) {
    size_t slot = hashes_[row] & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<int32_t>(row);
  }
}

size_t EncodingMemo::slot_of(size_t hash, const uint8_t* key, size_t bytes) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
    const auto row = static_cast<size_t>(slots_[slot]);
    if (hashes_[row] == hash && std::memcmp(&keys_[row * bytes], key, bytes) == 0) break;
  }
  return slot;
}

int32_t EncodingMemo::add(size_t hash, const uint8_t* key, size_t bytes) {
  if (2 * hashes_.size() >= slots_.size()) grow();
  int32_t& row = slots_[slot_of(hash, key, bytes)];
  if (row >= 0) return row;
  row = static_cast<int32_t>(hashes_.size());
  hashes_.push_back(hash);
  keys_.insert(keys_.end(), key, key + bytes);
  return row;
}

torch::Tensor EncodingMemo::operator()(const torch::Tensor& observations) {
  const auto plain = observations.contiguous();
  const int64_t rows = plain.size(0);
  const auto bytes = static_cast<size_t>(plain.size(1)) * plain.element_size();
  const auto* data = static_cast<const uint8_t*>(plain.data_ptr());
  const auto key = [&](int64_t i) { return data + static_cast<size_t>(i) * bytes; };
  std::vector<size_t> hash(static_cast<size_t>(rows));
  std::vector<int32_t> row(static_cast<size_t>(rows));
  at::parallel_for(0, rows, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto h = std::hash<std::string_view>{}({reinterpret_cast<const char*>(key(i)), bytes});
      hash[static_cast<size_t>(i)] = h;
      row[static_cast<size_t>(i)] = slots_[slot_of(h, key(i), bytes)];
    }
  });
  const auto missing = static_cast<size_t>(std::ranges::count(row, -1));
  if (hashes_.size() + missing > most_) {
    forget();
    std::ranges::fill(row, -1);
  }
  std::vector<int64_t> unknown;  // indices into the batch, each new observation once
  for (int64_t i = 0; i < rows; ++i) {
    const auto at = static_cast<size_t>(i);
    if (row[at] >= 0) continue;
    const size_t known = hashes_.size();
    row[at] = add(hash[at], key(i), bytes);
    if (hashes_.size() > known) unknown.push_back(i);
  }
  if (!unknown.empty()) {
    const auto states = encode_(plain.index_select(0, torch::tensor(unknown, torch::kLong))).contiguous();
    states_.insert(states_.end(), states.data_ptr<float>(), states.data_ptr<float>() + states.numel());
  }
  auto out = torch::empty({rows, width_});
  auto* target = out.data_ptr<float>();
  at::parallel_for(0, rows, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::copy_n(&states_[static_cast<size_t>(row[static_cast<size_t>(i)] * width_)], width_,
                  target + i * width_);
  });
  return out;
}

}  // namespace neo
