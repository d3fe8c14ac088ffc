#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/conv_plan.h"

namespace neo {

// Which kernel positions meet which source coordinates, along one axis: reach[target] = {position, source}.
struct Reach {
  int64_t position, source;
};
using AxisReach = std::vector<std::vector<Reach>>;

struct ImageExtent {
  int64_t height, width, channels;
  int64_t size() const { return height * width * channels; }
};

// weight_at(row of the kernel, column, source channel, target channel)
using WeightAt = std::function<float(int64_t, int64_t, int64_t, int64_t)>;

// Two neighbouring targets a and b of an axis that share a source m are, with u and v from the kernel,
//   a = u l + v m    b = u m + v r
// four products; with s = (u + v) m they are three (Winograd, 1980):
//   a = s + u (l - m)    b = s + v (r - m)
// On both axes of a 3x3 kernel 25 products of 36 are left, and each is a whole matrix product. Sums of
// weights are made once; of sources, for every image; s is kept in a slot. Where there are few channels every
// product is made: sums would cost more.
ConvPlan make_plan(const ImageExtent& source, const ImageExtent& target, const AxisReach& rows,
                   const AxisReach& columns, const WeightAt& weight_at);

}  // namespace neo
