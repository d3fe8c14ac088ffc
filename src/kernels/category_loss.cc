#include "kernels/category_loss.h"

#include <atomic>

#include "core/error.h"
#include "kernels/forms/form.h"
#include "kernels/parallel.h"

namespace neo {

bool category_loss(const CategoryLoss& task) {
  NEO_CHECK_LT(0, task.positions);
  NEO_CHECK_LT(0, task.categories);
  NEO_CHECK_LE(task.categories, kMostCategories);
  NEO_CHECK_EQ(!task.targets && (task.loss || task.own || task.wrong || task.gradient), false);
  constexpr int64_t kWorthThread = 2048;  // positions; waking a thread costs about as much as scoring these
  std::atomic<bool> valid = true;
  const auto score_row = form().score_row;
  in_pieces(task.rows, kWorthThread / task.positions + 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      if (!score_row(task, row)) valid = false;
  });
  return valid;
}

}  // namespace neo
