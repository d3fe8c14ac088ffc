#include "observe/readout.h"

#include "kernels/category_ops.h"

namespace neo {

Readout::Readout(const Space& space, torch::Tensor scale) : kind_(space.kind), scale_(std::move(scale)) {
  if (is_categorical()) classes_ = space.most_values();
}

torch::Tensor Readout::loss(const torch::Tensor& prediction, const torch::Tensor& target) const {
  if (is_categorical()) return category_scores(prediction, target, classes_).loss;
  if (kind_ == Kind::pixels)
    return (prediction - target.to(prediction.options()) / 255.0).abs().mean(/*dim=*/-1);
  const auto apart = (prediction - target).abs();
  return (scale_.defined() ? apart / scale_ : apart).mean(/*dim=*/-1);
}

torch::Tensor Readout::harden(const torch::Tensor& prediction) const {
  if (is_categorical()) return category_argmax(prediction, classes_);
  if (kind_ == Kind::pixels) return (prediction.clamp(0, 1) * 255.0).round().to(torch::kUInt8);
  return prediction.detach();
}

Reading Readout::read(const torch::Tensor& prediction, const torch::Tensor& target) const {
  torch::NoGradGuard no_grad;
  if (is_categorical()) {
    const CategoryScores scores = category_scores(prediction, target, classes_);
    return {scores.loss, scores.own, scores.best, scores.wrong == 0};
  }
  const int64_t rows = prediction.size(0);
  const auto none = torch::zeros({rows}, prediction.options());
  return {loss(prediction, target), none, harden(prediction), none.to(torch::kBool)};
}

torch::Tensor Readout::error(const torch::Tensor& observations, const torch::Tensor& target) const {
  torch::NoGradGuard no_grad;
  if (is_categorical()) return (observations != target).to(torch::kDouble).mean(1);
  const auto apart = observations.to(torch::kDouble) - target.to(torch::kDouble);
  if (kind_ == Kind::pixels) return apart.abs().mean(1) / 255.0;
  return (scale_.defined() ? apart / scale_ : apart).square().mean(1).sqrt();
}

}  // namespace neo
