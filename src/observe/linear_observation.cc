#include "observe/linear_observation.h"

#include "core/error.h"
#include "core/progress.h"
#include "observe/tensors.h"

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 4096;
constexpr int64_t kMostCovariance = 4096;  // elements; beyond, a covariance matrix takes too long and too much memory
constexpr int64_t kSampledRows = 2048;     // from which components of larger observations, or of fewer rows, are found
constexpr int64_t kElementsAtOnce = 4096;
constexpr double kLeastSpread = 1e-8;

// Leading eigenvectors [N, D] and the square roots of their eigenvalues [D], largest first.
struct Components {
  torch::Tensor basis, spread;
};

Components leading(const torch::Tensor& values, const torch::Tensor& vectors, int64_t width) {
  const int64_t all = values.size(0);  // ascending
  return {vectors.narrow(1, all - width, width).flip(1),
          values.narrow(0, all - width, width).flip(0).clamp_min(kLeastSpread).sqrt()};
}

// Of few rows of many elements: X' X has the eigenvalues of the much smaller X X'. Some elements at a time in double.
Components components_of_rows(const torch::Tensor& rows, int64_t width) {
  auto products = torch::zeros({rows.size(0), rows.size(0)}, torch::kDouble);
  for (const auto& part : rows.split(kElementsAtOnce, 1)) {
    const auto exact = part.to(torch::kDouble);
    products.addmm_(exact, exact.t());
  }
  const auto [values, vectors] = torch::linalg_eigh(products / static_cast<double>(rows.size(0)), "L");
  const int64_t known = std::min(width, rows.size(0));
  Components c = leading(values, vectors, known);
  auto basis = torch::zeros({rows.size(1), width}, torch::kDouble);
  auto spread = torch::full({width}, std::sqrt(kLeastSpread), torch::kDouble);
  int64_t first = 0;
  for (const auto& part : rows.split(kElementsAtOnce, 1)) {
    basis.narrow(0, first, part.size(1)).narrow(1, 0, known).copy_(part.t().to(torch::kDouble).matmul(c.basis));
    first += part.size(1);
  }
  basis.div_(basis.norm(2, 0, /*keepdim=*/true).clamp_min(kLeastSpread));
  spread.narrow(0, 0, known).copy_(c.spread);
  return {basis, spread};
}
}  // namespace

LinearObservation::LinearObservation(const Space& space, int64_t most) : ObservationModel(space) {
  const int64_t size = space.size();
  const int64_t width = std::min(most, size);
  const bool pixels = space.kind == Kind::pixels;
  if (pixels) {
    scale_ = torch::full({1}, 255.0);
  } else {
    scale_ = register_buffer("scale", torch::ones({size}));
  }
  mean_ = register_buffer("mean", torch::full({size}, pixels ? 0.5 : 0.0));
  basis_ = register_buffer("basis", torch::eye(size, width));
  spread_ = register_buffer("spread", torch::ones({width}));
}

Readout LinearObservation::readout() const {
  return space().kind == Kind::pixels ? Readout(space()) : Readout(space(), scale_);
}

torch::Tensor LinearObservation::scaled(const torch::Tensor& observations) const {
  return observations.to(torch::kFloat) / scale_;
}

LinearObservation::Affine LinearObservation::encoder() const {
  const auto map = basis_ / spread_;
  return {map / scale_.unsqueeze(1), -mean_.matmul(map)};
}

torch::Tensor LinearObservation::encode(const torch::Tensor& observations) {
  if (frozen_) return frozen_forward(observations.to(torch::kFloat), frozen_->whole).unsqueeze(1);
  return encode_leading(observations, spread_.size(0));
}

torch::Tensor LinearObservation::encode_leading(const torch::Tensor& observations, int64_t dimensions) {
  const auto [map, offset] = frozen_ ? frozen_->encoder : encoder();
  const auto states = torch::addmm(offset.narrow(0, 0, dimensions), observations.to(torch::kFloat),
                                   map.narrow(1, 0, dimensions));
  return states.unsqueeze(1);
}

void LinearObservation::freeze() {
  ObservationModel::freeze();
  const Affine e = encoder();
  const auto layer = make_layer(ConvSpec::dense(e.map.size(0), e.map.size(1)), {e.map.t(), e.offset});
  frozen_.emplace(e, std::make_shared<FrozenStack>(std::vector<ConvLayer>{layer}));
}

torch::Tensor LinearObservation::decode(const torch::Tensor& states) {
  const auto values = (states.squeeze(1) * spread_).matmul(basis_.t()) + mean_;
  return space().kind == Kind::pixels ? values : values * scale_;
}

torch::Tensor LinearObservation::pretraining_loss(const torch::Tensor& observations) {
  return readout().loss(decode(encode(observations)), observations).mean();
}

void LinearObservation::fit_scale(const torch::Tensor& observations) {
  if (space().kind == Kind::pixels) return;
  const auto spread = observations.to(torch::kDouble).std(0, /*unbiased=*/false);
  scale_.copy_(torch::where(spread > kLeastSpread, spread, torch::ones_like(spread)));
}

bool LinearObservation::fit(const torch::Tensor& observations) {
  torch::NoGradGuard no_grad;
  fit_scale(observations);
  const int64_t rows = observations.size(0);
  const int64_t size = mean_.size(0);
  auto sum = torch::zeros({size}, torch::kDouble);
  for (const auto& part : observations.split(kRowsAtOnce)) sum += scaled(part).sum(0).to(torch::kDouble);
  mean_.copy_(sum / static_cast<double>(rows));
  const int64_t width = spread_.size(0);
  if (size > kMostCovariance || rows < std::min(size, kSampledRows)) {
    const Components c = components_of_rows(scaled(evenly_spread(observations, kSampledRows)).sub_(mean_), width);
    basis_.copy_(c.basis);
    spread_.copy_(c.spread);
    return true;
  }
  auto covariance = torch::zeros({size, size});
  Progress bar("principal components", rows);
  for (const auto& part : observations.split(kRowsAtOnce)) {
    const auto centred = scaled(part) - mean_;
    covariance.addmm_(centred.t(), centred, 1.0, 1.0 / static_cast<double>(rows));
    bar.advance(part.size(0));
  }
  bar.finish();
  // In double: LAPACK reports the size of its workspace as a number of the matrix's own type, and a float
  // cannot hold it.
  const auto [values, vectors] = torch::linalg_eigh(covariance.to(torch::kDouble), "L");
  const Components c = leading(values, vectors, width);
  basis_.copy_(c.basis);
  spread_.copy_(c.spread);
  return true;
}

}  // namespace neo
