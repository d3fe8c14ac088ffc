#include "kernels/category_loss.h"

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/simd_clones.h"
#include "kernels/vector_math.h"

namespace neo {
namespace {

// Categories lie innermost and are few: too short for a vector register. Eight
// positions are therefore transposed into lanes first, and all computation is on lanes.
struct Block {
  Lanes value[kMostCategories];  // logits, then exp(logit - largest), then gradient
  Lanes largest, target_logit, sum;
  IntLanes best, target;
};

// Idle lanes beyond `count` repeat the last position.
[[gnu::always_inline]] inline void load(Block& b, const CategoryLoss& task, int64_t at, int64_t count) {
  const int categories = static_cast<int>(task.categories);
  const float* row[kLanes];
  for (int64_t p = 0; p < kLanes; ++p) {
    const int64_t position = at + std::min(p, count - 1);
    row[p] = task.logits + position * categories;
    b.target[p] = task.targets ? task.targets[position] : 0;
  }
  for (int c = 0; c < categories; ++c)
    b.value[c] =
        Lanes{row[0][c], row[1][c], row[2][c], row[3][c], row[4][c], row[5][c], row[6][c], row[7][c]};
}

[[gnu::always_inline]] inline void find_best(Block& b, int categories) {
  b.largest = b.target_logit = b.value[0];
  b.best = IntLanes{};
  for (int c = 1; c < categories; ++c) {
    const IntLanes larger = b.value[c] > b.largest;
    b.best = larger ? IntLanes{} + c : b.best;
    b.largest = larger ? b.value[c] : b.largest;
    b.target_logit = b.target == c ? b.value[c] : b.target_logit;
  }
}

[[gnu::always_inline]] inline void exponentiate_all(Block& b, int categories) {
  b.sum = Lanes{};
  for (int c = 0; c < categories; ++c) {
    b.value[c] -= b.largest;
    exponentiate(b.value[c]);
    b.sum += b.value[c];
  }
}

// Sum over `count` positions of -log p(best). Each sum lies between 1 and the number of categories, so one
// logarithm of their product serves all.
[[gnu::always_inline]] inline double total_own(const Block& b, int64_t count) {
  double product = 1.0;
  for (int64_t p = 0; p < count; ++p) product *= b.sum[p];
  return std::log(product);
}

// What the target costs beyond the best category.
[[gnu::always_inline]] inline double total_excess(const Block& b, int64_t count) {
  double excess = 0.0;
  for (int64_t p = 0; p < count; ++p) excess += b.largest[p] - b.target_logit[p];
  return excess;
}

[[gnu::always_inline]] inline void store_gradient(Block& b, int categories, int64_t count, float weight,
                                                  float* gradient) {
  const Lanes scale = weight / b.sum;
  for (int c = 0; c < categories; ++c)
    b.value[c] = b.value[c] * scale - (b.target == c ? Lanes{} + weight : Lanes{});
  for (int64_t p = 0; p < count; ++p)
    for (int c = 0; c < categories; ++c) gradient[p * categories + c] = b.value[c][p];
}

// Returns whether every target was a category.
NEO_SIMD_CLONES bool score_row(const CategoryLoss& task, int64_t row) {
  const int categories = static_cast<int>(task.categories);
  double own = 0.0, excess = 0.0;
  int32_t wrong = 0, highest = 0;
  Block b;
  for (int64_t first = 0; first < task.positions; first += kLanes) {
    const int64_t at = row * task.positions + first;
    const int64_t count = std::min<int64_t>(kLanes, task.positions - first);
    load(b, task, at, count);
    find_best(b, categories);
    for (int64_t p = 0; p < count; ++p) {
      wrong += b.best[p] != b.target[p];
      highest = std::max<int32_t>(highest, b.target[p]);
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

}  // namespace

void category_loss(const CategoryLoss& task) {
  TORCH_CHECK(task.positions > 0 && task.categories > 0 && task.categories <= kMostCategories,
              "cannot score ", task.positions, " positions of ", task.categories, " categories (at most ",
              kMostCategories, ")");
  TORCH_CHECK(task.targets || !(task.loss || task.own || task.wrong || task.gradient),
              "a loss needs targets");
  constexpr int64_t kWorthThread = 2048;  // positions; waking a thread costs about as much as scoring these
  std::atomic<bool> valid = true;
  at::parallel_for(0, task.rows, /*grain_size=*/kWorthThread / task.positions + 1,
                   [&](int64_t begin, int64_t end) {
                     for (int64_t row = begin; row < end; ++row)
                       if (!score_row(task, row)) valid = false;
                   });
  TORCH_CHECK(valid, "a target is not among the ", task.categories, " categories");
}

}  // namespace neo
