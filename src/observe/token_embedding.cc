#include "observe/token_embedding.h"

namespace neo {

TokenEmbedding::TokenEmbedding(int64_t values, int64_t width) : values_(values) {
  embedding_ = register_module("embedding", torch::nn::Embedding(values, width));
  read_out_ = register_module("read_out", torch::nn::Linear(width, values));
}

torch::Tensor TokenEmbedding::encode(const torch::Tensor& observations) {
  return embedding_->forward(observations.to(torch::kLong));
}

torch::Tensor TokenEmbedding::decode(const torch::Tensor& states) { return read_out_->forward(states); }

torch::Tensor TokenEmbedding::pretraining_loss(const torch::Tensor& observations) {
  return readout().loss(decode(encode(observations)), observations).mean();
}

}  // namespace neo
