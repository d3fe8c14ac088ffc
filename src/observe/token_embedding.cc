#include "observe/token_embedding.h"

namespace neo {
namespace {
constexpr double kScale = 10.0;  // logits of a clean state: 10 for its value, about -1 for the others
constexpr double kNoise = 0.3;   // added to states in pretraining
constexpr double kAbsent = -1e4;  // logit of a value that a channel does not have
}  // namespace

TokenEmbedding::TokenEmbedding(const Space& space, int64_t width) : ObservationModel(space), width_(width) {
  embedding_ = register_parameter("embedding", torch::randn({space.most_values(), width}));
  if (space.values.size() == 1) return;
  absent_ = torch::zeros({space.channels(), space.most_values()});
  for (int64_t c = 0; c < space.channels(); ++c)
    absent_[c].slice(0, space.values_at(c)).fill_(kAbsent);
}

StateShape TokenEmbedding::state() const {
  return {space().cells(), space().channels() * width_, space().rows(), space().columns()};
}

torch::Tensor TokenEmbedding::vectors() const {
  if (frozen_.defined()) return frozen_;
  return torch::nn::functional::normalize(embedding_, torch::nn::functional::NormalizeFuncOptions().dim(-1));
}

torch::Tensor TokenEmbedding::encode(const torch::Tensor& observations) {
  const auto rows = vectors().index_select(0, observations.flatten().to(torch::kLong));
  return rows.view({observations.size(0), -1, space().channels() * width_});
}

torch::Tensor TokenEmbedding::decode(const torch::Tensor& states) {
  if (space().channels() == 1) return torch::matmul(states, kScale * vectors().t());
  const auto logits = torch::matmul(states.reshape({states.size(0), -1, width_}), kScale * vectors().t());
  if (!absent_.defined()) return logits;
  const int64_t channels = space().channels();
  return (logits.view({states.size(0), -1, channels, logits.size(2)}) + absent_).view_as(logits);
}

torch::Tensor TokenEmbedding::pretraining_loss(const torch::Tensor& observations) {
  const auto states = encode(observations);
  return readout().loss(decode(states + kNoise * torch::randn_like(states)), observations).mean();
}

void TokenEmbedding::freeze() {
  ObservationModel::freeze();
  frozen_ = torch::Tensor();
  frozen_ = vectors().detach();
}

}  // namespace neo
