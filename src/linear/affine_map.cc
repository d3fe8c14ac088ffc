#include "linear/affine_map.h"

namespace neo {

States AffineMap::apply(const States& states) const {
  const auto width = states.cols();
  States reached = states + states * change.topRows(width);
  reached.rowwise() += change.row(width);
  return reached;
}

AffineMap AffineMap::then(const AffineMap& last) const {
  const auto width = change.cols();
  // (s + s A + a) (I + B) + b
  AffineMap both{change + change * last.change.topRows(width)};
  both.change.topRows(width) += last.change.topRows(width);
  both.change.row(width) += last.change.row(width);
  return both;
}

Eigen::VectorXd residuals(const States& reached, const States& wanted) {
  return (reached - wanted).rowwise().squaredNorm() / static_cast<double>(wanted.cols());
}

AffineMap fit_map(const States& x, const States& y, double ridge) {
  const auto width = x.cols();
  States extended(x.rows(), width + 1);
  extended << x, Eigen::VectorXd::Ones(x.rows());
  Eigen::MatrixXd squares = extended.transpose() * extended;
  squares.diagonal().array() += ridge;
  return {squares.ldlt().solve(extended.transpose() * (y - x))};
}

}  // namespace neo
