#pragma once

#include <cmath>
#include <utility>

#include "kernels/category_loss.h"
#include "kernels/forms/vector.h"

namespace neo {

// Categories lie innermost and are few: too short for a vector register. As many positions as a vector has
// lanes are therefore transposed first, and all computation is on lanes.
template <typename V>
class CategoryForm : Vectors<V> {
 public:
  // Returns whether every target was a category.
  static bool score_row(const CategoryLoss& task, int64_t row) {
    const int categories = static_cast<int>(task.categories);
    double own = 0.0, excess = 0.0;
    int32_t wrong = 0, highest = 0;
    Block b;
    for (int64_t first = 0; first < task.positions; first += kLanes) {
      const int64_t at = row * task.positions + first;
      const int64_t left = task.positions - first, count = left < kLanes ? left : kLanes;
      transpose(b, task, at, count);
      find_best(b, categories);
      for (int64_t p = 0; p < count; ++p) {
        wrong += b.best[p] != b.target[p];
        highest = b.target[p] > highest ? b.target[p] : highest;
        if (task.best) task.best[at + p] = static_cast<uint8_t>(b.best[p]);
      }
      if (!task.loss && !task.own && !task.gradient) continue;
      exponentiate_all(b, categories);
      own += total_own(b, count);
      excess += total_excess(b, count);
      if (task.gradient)
        store_gradient(b, categories, count, 1.0f / static_cast<float>(task.positions),
                       task.gradient + at * categories);
    }
    const auto positions = static_cast<double>(task.positions);
    if (task.loss) task.loss[row] = static_cast<float>((own + excess) / positions);
    if (task.own) task.own[row] = static_cast<float>(own / positions);
    if (task.wrong) task.wrong[row] = wrong;
    return highest < categories;
  }

 private:
  using Value = typename V::Value;
  using Ints = typename Vectors<V>::Ints;
  static constexpr int kLanes = V::kLanes;

  struct Block {
    Value value[kMostCategories];  // logits, then exp(logit - largest), then gradient
    Value largest, target_logit, sum;
    Ints best, target;
  };

  template <size_t... Lane>
  [[gnu::always_inline]] static Value across(const float* const* row, int c, std::index_sequence<Lane...>) {
    return Value{row[Lane][c]...};
  }

  // Idle lanes beyond `count` repeat the last position.
  [[gnu::always_inline]] static void transpose(Block& b, const CategoryLoss& task, int64_t at,
                                               int64_t count) {
    const int categories = static_cast<int>(task.categories);
    const float* row[kLanes];
    for (int64_t p = 0; p < kLanes; ++p) {
      const int64_t position = at + (p < count ? p : count - 1);
      row[p] = task.logits + position * categories;
      b.target[p] = task.targets ? task.targets[position] : 0;
    }
    for (int c = 0; c < categories; ++c)
      b.value[c] = across(row, c, std::make_index_sequence<static_cast<size_t>(kLanes)>());
  }

  [[gnu::always_inline]] static void find_best(Block& b, int categories) {
    b.largest = b.target_logit = b.value[0];
    b.best = Ints{};
    for (int c = 1; c < categories; ++c) {
      const Ints larger = b.value[c] > b.largest;
      b.best = larger ? Ints{} + c : b.best;
      b.largest = larger ? b.value[c] : b.largest;
      b.target_logit = b.target == c ? b.value[c] : b.target_logit;
    }
  }

  [[gnu::always_inline]] static void exponentiate_all(Block& b, int categories) {
    b.sum = Value{};
    for (int c = 0; c < categories; ++c) {
      b.value[c] = Vectors<V>::exponential(b.value[c] - b.largest);
      b.sum += b.value[c];
    }
  }

  // Sum over `count` positions of -log p(best). Each sum lies between 1 and the number of categories, so one
  // logarithm of their product serves all.
  [[gnu::always_inline]] static double total_own(const Block& b, int64_t count) {
    double product = 1.0;
    for (int64_t p = 0; p < count; ++p) product *= b.sum[p];
    return std::log(product);
  }

  // What the target costs beyond the best category.
  [[gnu::always_inline]] static double total_excess(const Block& b, int64_t count) {
    double excess = 0.0;
    for (int64_t p = 0; p < count; ++p) excess += b.largest[p] - b.target_logit[p];
    return excess;
  }

  [[gnu::always_inline]] static void store_gradient(Block& b, int categories, int64_t count, float weight,
                                                    float* gradient) {
    const Value scale = weight / b.sum;
    for (int c = 0; c < categories; ++c)
      b.value[c] = b.value[c] * scale - (b.target == c ? Value{} + weight : Value{});
    for (int64_t p = 0; p < count; ++p)
      for (int c = 0; c < categories; ++c) gradient[p * categories + c] = b.value[c][p];
  }
};

}  // namespace neo
