#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace neo {

// States of real numbers, one per row: [n, D]. The library is Eigen: small dense systems are solved by the
// thousand here, which costs less than calling LibTorch once for each, and needs none of it.
using States = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Pairs of states, in units in which every dimension counts alike.
struct MapTable {
  States x, y;  // [B, D] each
  int64_t size() const { return x.rows(); }
  int64_t width() const { return x.cols(); }
};

// An operation on states that is affine: s --> s + [s, 1] . change.
struct AffineMap {
  Eigen::MatrixXd change;  // [D + 1, D]
  States apply(const States& states) const;
  // First this one, then `last`, as one.
  AffineMap then(const AffineMap& last) const;
};

// [B] mean squared distance of rows.
Eigen::VectorXd residuals(const States& reached, const States& wanted);

// The map that leads from `x` to `y` with least squares; `ridge` pulls towards leaving states as they are.
AffineMap fit_map(const States& x, const States& y, double ridge);

}  // namespace neo
