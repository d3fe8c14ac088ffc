#pragma once

#include <torch/torch.h>

#include <cstring>

#include "data/space.h"

namespace neo {

// How elements of a space are held in tensors; the bytes are those of an Observation.
inline torch::Dtype dtype_of(const Space& space) {
  if (space.element() == Element::f32) return torch::kFloat;
  return space.element() == Element::u16 ? torch::kShort : torch::kByte;
}

// Observations one after the other, as a tensor [B, N] of its own memory.
inline torch::Tensor to_rows(const Space& space, ObservationView bytes) {
  const auto count = static_cast<int64_t>(bytes.size()) / space.bytes();
  auto rows = torch::empty({count, space.size()}, dtype_of(space));
  if (!bytes.empty()) std::memcpy(rows.data_ptr(), bytes.data(), bytes.size());
  return rows;
}

// The bytes of row i of contiguous observations [B, N].
inline ObservationView row_bytes(const torch::Tensor& rows, int64_t i) {
  const auto bytes = static_cast<size_t>(rows.size(1)) * rows.element_size();
  return {static_cast<const uint8_t*>(rows.data_ptr()) + static_cast<size_t>(i) * bytes, bytes};
}

// At most `most` of the rows, evenly spread.
inline torch::Tensor evenly_spread(const torch::Tensor& rows, int64_t most) {
  if (rows.size(0) <= most) return rows;
  return rows.index_select(0, (torch::arange(most) * rows.size(0)).div(most, "floor"));
}

// One observation [N] or [1, N].
inline Observation to_observation(const torch::Tensor& row) {
  const auto plain = row.contiguous();
  const auto* bytes = static_cast<const uint8_t*>(plain.data_ptr());
  return {bytes, bytes + plain.nbytes()};
}

}  // namespace neo
