#include "kernels/norm.h"

#include <algorithm>
#include <vector>

#include "kernels/forms/form.h"
#include "kernels/parallel.h"

namespace neo {
namespace {
constexpr int64_t kPieceRows = 512;  // summed one after the other; pieces are then added up in order
}  // namespace

void add_and_norm(const NormTask& task, float* out) {
  const auto rows = form().norm_rows;
  in_pieces(task.rows, kPieceRows, [&](int64_t begin, int64_t end) { rows(task, begin, end, out); });
}

void add_and_norm_backward(const NormTask& task, const float* upstream, float* sum, float* gain, float* offset) {
  const auto rows = form().norm_rows_backward;
  const int64_t pieces = (task.rows + kPieceRows - 1) / kPieceRows;
  std::vector<float> sums(static_cast<size_t>(pieces * 2 * task.width), 0.0f);  // [pieces, 2, width]
  in_parallel(pieces, [&](int64_t i) {
    float* own = sums.data() + i * 2 * task.width;
    const int64_t begin = i * kPieceRows, end = std::min(begin + kPieceRows, task.rows);
    rows(task, begin, end, upstream, sum, own, own + task.width);
  });
  for (int64_t c = 0; c < task.width; ++c) {
    gain[c] = offset[c] = 0.0f;
    for (int64_t i = 0; i < pieces; ++i) {
      gain[c] += sums[static_cast<size_t>(i * 2 * task.width + c)];
      offset[c] += sums[static_cast<size_t>((i * 2 + 1) * task.width + c)];
    }
  }
}

}  // namespace neo
