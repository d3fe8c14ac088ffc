#include "observe/token_embedding.h"

namespace neo {
namespace {
constexpr double kScale = 10.0;  // logits of a clean state: 10 for its value, about -1 for the others
constexpr double kNoise = 0.3;   // added to states in pretraining
}  // namespace

TokenEmbedding::TokenEmbedding(int64_t values, int64_t width) : values_(values) {
  embedding_ = register_parameter("embedding", torch::randn({values, width}));
}

torch::Tensor TokenEmbedding::vectors() const {
  if (frozen_.defined()) return frozen_;
  return torch::nn::functional::normalize(embedding_, torch::nn::functional::NormalizeFuncOptions().dim(-1));
}

torch::Tensor TokenEmbedding::encode(const torch::Tensor& observations) {
  const auto rows = vectors().index_select(0, observations.flatten().to(torch::kLong));
  return rows.view({observations.size(0), observations.size(1), -1});
}

torch::Tensor TokenEmbedding::decode(const torch::Tensor& states) {
  return torch::matmul(states, kScale * vectors().t());
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
