#include "kernels/attention.h"

#include "kernels/forms/form.h"
#include "kernels/parallel.h"
#include "kernels/products.h"

namespace neo {
namespace {
constexpr int64_t kWorthThread = 32;  // rows

// Of every query with every key, or of every share with every value.
int64_t meetings(const AttentionTask& task) {
  return task.rows * task.heads * task.queries * task.keys * kHeadWidth;
}
}  // namespace

void attend(const AttentionTask& task, float* out) {
  count_products(2 * meetings(task));
  const auto attend_row = form().attend_row;
  in_pieces(task.rows, kWorthThread, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) attend_row(task, row, out);
  });
}

void attend_backward(const AttentionTask& task, const float* upstream, float* query, float* memory) {
  count_products(4 * meetings(task));
  const auto attend_row_backward = form().attend_row_backward;
  in_pieces(task.rows, kWorthThread, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) attend_row_backward(task, row, upstream, query, memory);
  });
}

}  // namespace neo
