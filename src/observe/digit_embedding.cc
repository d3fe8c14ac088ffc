#include "observe/digit_embedding.h"

namespace neo {

DigitEmbedding::DigitEmbedding(const Space& space, int64_t width) : ObservationModel(space), width_(width) {
  const int64_t values = space.most_values();
  embedding_ = register_module("embedding", torch::nn::Embedding(values, width));
  read_ = register_module("read", torch::nn::Linear(width, values));
}

torch::Tensor DigitEmbedding::encode(const torch::Tensor& observations) {
  return embedding_->forward(observations.to(torch::kLong));
}

torch::Tensor DigitEmbedding::pretraining_loss(const torch::Tensor& observations) {
  return readout().loss(decode(encode(observations)), observations).mean();
}

}  // namespace neo
