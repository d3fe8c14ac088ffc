#include "observe/readout.h"

#include "kernels/category_ops.h"

namespace neo {

torch::Tensor Readout::loss(const torch::Tensor& prediction, const torch::Tensor& target) const {
  if (is_categorical()) return category_scores(prediction, target, classes_).loss;
  return (prediction - target.to(prediction.options()) / 255.0).abs().mean(/*dim=*/-1);
}

torch::Tensor Readout::harden(const torch::Tensor& prediction) const {
  if (is_categorical()) return category_argmax(prediction, classes_);
  return (prediction.clamp(0, 1) * 255.0).round().to(torch::kUInt8);
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

}  // namespace neo
