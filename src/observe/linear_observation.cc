#include "observe/linear_observation.h"

#include "core/error.h"
#include "core/progress.h"

namespace neo {
namespace {
constexpr int64_t kRowsAtOnce = 4096;

torch::Tensor as_pixels(const torch::Tensor& observations) { return observations.to(torch::kFloat) / 255.0; }
}  // namespace

LinearObservation::LinearObservation(int64_t pixels, int64_t width) {
  if (width > pixels) fail_usage("observation.width is {}; an image has only {} values", width, pixels);
  mean_ = register_buffer("mean", torch::full({pixels}, 0.5));
  basis_ = register_buffer("basis", torch::eye(pixels, width));
  spread_ = register_buffer("spread", torch::ones({width}));
}

LinearObservation::Affine LinearObservation::encoder() const {
  const auto scaled = basis_ / spread_;
  return {scaled / 255.0, -mean_.matmul(scaled)};
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
  return (states.squeeze(1) * spread_).matmul(basis_.t()) + mean_;
}

torch::Tensor LinearObservation::pretraining_loss(const torch::Tensor& observations) {
  return readout().loss(decode(encode(observations)), observations).mean();
}

bool LinearObservation::fit(const torch::Tensor& observations) {
  torch::NoGradGuard no_grad;
  const int64_t rows = observations.size(0);
  const int64_t pixels = mean_.size(0);
  auto sum = torch::zeros({pixels}, torch::kDouble);
  for (int64_t begin = 0; begin < rows; begin += kRowsAtOnce) {
    const auto part = observations.narrow(0, begin, std::min(kRowsAtOnce, rows - begin));
    sum += as_pixels(part).sum(0).to(torch::kDouble);
  }
  mean_.copy_(sum / static_cast<double>(rows));
  auto covariance = torch::zeros({pixels, pixels});
  Progress bar("principal components", rows);
  for (int64_t begin = 0; begin < rows; begin += kRowsAtOnce) {
    const int64_t count = std::min(kRowsAtOnce, rows - begin);
    const auto centred = as_pixels(observations.narrow(0, begin, count)) - mean_;
    covariance.addmm_(centred.t(), centred, 1.0, 1.0 / static_cast<double>(rows));
    bar.advance(count);
  }
  bar.finish();
  // In double: LAPACK reports the size of its workspace as a number of the matrix's own type, and a float
  // cannot hold it.
  const auto [values, vectors] = torch::linalg_eigh(covariance.to(torch::kDouble), "L");  // ascending
  const int64_t width = spread_.size(0);
  basis_.copy_(vectors.narrow(1, pixels - width, width).flip(1));
  spread_.copy_(values.narrow(0, pixels - width, width).flip(0).clamp_min(1e-8).sqrt());
  return true;
}

}  // namespace neo
