#pragma once

#include <cstdint>

namespace neo {

// A dense layer's rows: what it took and the gradient of its sums.
struct DenseGradient {
  const float* dy;  // [rows, out]
  const float* x;   // [rows, in]
  int64_t rows, out, in;
};

// tile_columns() of dy' x [out, in], from `column` on: a tile whose images are dy's columns and whose
// channels are the rows.
void weight_gradient_tile(const DenseGradient& of, int64_t column, float* gradient);
void bias_gradient(const DenseGradient& of, float* gradient);  // [out] the sum of dy's rows

}  // namespace neo
