#pragma once

#include <cstdint>

namespace neo {

// Attention over a handful of tokens (12 digits and an action): too small for matrix products to pay off.
// A head fits into registers and the first cache level, forward and backward.
constexpr int64_t kHeadWidth = 16;
constexpr int64_t kMostKeys = 16;

struct AttentionTask {
  int64_t rows = 0, heads = 0, queries = 0, keys = 0;  // B, h, Tq, Tk <= kMostKeys
  const float* query = nullptr;                        // [B, Tq, h kHeadWidth]
  const float* memory = nullptr;                       // [B, Tk, 2 h kHeadWidth], keys then values
  float* probability = nullptr;                        // [B, h, Tq, Tk]
};

// out [B, Tq, h kHeadWidth]; fills in the probabilities.
void attend(const AttentionTask& task, float* out);
// From the gradient of `out` to those of query and memory, given the probabilities.
void attend_backward(const AttentionTask& task, const float* upstream, float* query, float* memory);

}  // namespace neo
