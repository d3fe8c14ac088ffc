#pragma once

#include <cstdint>

namespace neo {

// More categories than this are for LibTorch: see category_ops.cc.
constexpr int64_t kMostCategories = 32;

// Cross-entropy, best category and number of wrong positions of each row, in one pass over the logits.
struct CategoryLoss {
  // in
  const float* logits = nullptr;     // [rows, positions, categories]
  const uint8_t* targets = nullptr;  // [rows, positions], each below categories
  int64_t rows = 0, positions = 0, categories = 0;
  // out; any may be null
  float* loss = nullptr;      // [rows], mean over positions
  float* own = nullptr;       // [rows], the loss had `best` been the target: how unsure the row is
  uint8_t* best = nullptr;    // [rows, positions], the first category with the largest logit
  int32_t* wrong = nullptr;   // [rows], positions where best differs from the target
  float* gradient = nullptr;  // [rows, positions, categories] of the row's mean loss
};

// Without targets only `best` can be asked for. A NaN among a row's logits makes its loss NaN. False where a
// target was no category; the results are then worth nothing.
bool category_loss(const CategoryLoss& task);

}  // namespace neo
