#include "observe/readout.h"

namespace neo {

torch::Tensor Readout::loss(const torch::Tensor& prediction, const torch::Tensor& target) const {
  if (is_categorical()) {
    const auto log_p = torch::log_softmax(prediction, /*dim=*/-1);
    return -log_p.gather(/*dim=*/-1, target.to(torch::kLong).unsqueeze(-1)).squeeze(-1).mean(/*dim=*/-1);
  }
  return (prediction - target.to(prediction.dtype()) / 255.0).abs().mean(/*dim=*/-1);
}

torch::Tensor Readout::harden(const torch::Tensor& prediction) const {
  if (is_categorical()) return prediction.argmax(/*dim=*/-1).to(torch::kUInt8);
  return (prediction.clamp(0, 1) * 255.0).round().to(torch::kUInt8);
}

Reading Readout::read(const torch::Tensor& prediction, const torch::Tensor& target) const {
  torch::NoGradGuard no_grad;
  Reading reading;
  reading.loss = loss(prediction, target);
  reading.hard = harden(prediction);
  reading.exact = is_categorical() ? (reading.hard == target).all(/*dim=*/-1)
                                   : torch::zeros({prediction.size(0)}, torch::kBool);
  return reading;
}

}  // namespace neo
