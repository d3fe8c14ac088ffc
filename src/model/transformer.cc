#include "model/transformer.h"

#include "kernels/attention_ops.h"
#include "kernels/dense_ops.h"
#include "kernels/norm_ops.h"

namespace neo {
namespace nn = torch::nn;
namespace {
// Queries, keys and values are initialised as one matrix d -> 3d (Xavier), as usual.
nn::Linear projection(int64_t width, int64_t parts) {
  nn::Linear linear(width, parts * width);
  torch::NoGradGuard no_grad;
  const double bound = std::sqrt(6.0 / static_cast<double>(4 * width));
  linear->weight.uniform_(-bound, bound);
  linear->bias.zero_();
  return linear;
}

nn::Linear output(int64_t width) {
  nn::Linear linear(width, width);
  torch::NoGradGuard no_grad;
  linear->bias.zero_();
  return linear;
}

nn::Sequential feedforward(const TransformerShape& shape) {
  return nn::Sequential(nn::Linear(shape.width, shape.feedforward), nn::ReLU(),
                        nn::Linear(shape.feedforward, shape.width));
}

torch::Tensor linear(const nn::LinearImpl& layer, const torch::Tensor& x) {
  return dense(x, {{layer.weight, layer.bias}});
}

nn::LayerNorm norm(const TransformerShape& shape) {
  return nn::LayerNorm(nn::LayerNormOptions({shape.width}));
}
}  // namespace

AttentionImpl::AttentionImpl(const TransformerShape& shape) : heads_(shape.heads) {
  query_ = register_module("query", projection(shape.width, 1));
  memory_ = register_module("memory", projection(shape.width, 2));
  out_ = register_module("out", output(shape.width));
}

torch::Tensor AttentionImpl::forward(const torch::Tensor& queries, const torch::Tensor& memory) {
  return linear(*out_, attention(linear(*query_, queries), linear(*memory_, memory), heads_));
}

EncoderLayerImpl::EncoderLayerImpl(const TransformerShape& shape) {
  attention_ = register_module("attention", Attention(shape));
  feedforward_ = register_module("feedforward", feedforward(shape));
  after_attention_ = register_module("after_attention", norm(shape));
  after_feedforward_ = register_module("after_feedforward", norm(shape));
}

torch::Tensor EncoderLayerImpl::forward(const torch::Tensor& tokens, int64_t asked) {
  const auto queries = asked > 0 ? tokens.narrow(1, 0, asked) : tokens;
  const auto x = add_and_norm(queries, attention_->forward(queries, tokens), after_attention_);
  return add_and_norm(x, dense(x, feedforward_), after_feedforward_);
}

DecoderLayerImpl::DecoderLayerImpl(const TransformerShape& shape) {
  attention_ = register_module("attention", Attention(shape));
  value_ = register_module("value", projection(shape.width, 1));
  out_ = register_module("out", output(shape.width));
  feedforward_ = register_module("feedforward", feedforward(shape));
  after_attention_ = register_module("after_attention", norm(shape));
  after_memory_ = register_module("after_memory", norm(shape));
  after_feedforward_ = register_module("after_feedforward", norm(shape));
}

torch::Tensor DecoderLayerImpl::forward(const torch::Tensor& tokens, const torch::Tensor& memory) {
  auto x = add_and_norm(tokens, attention_->forward(tokens, tokens), after_attention_);
  x = add_and_norm(x, out_->forward(value_->forward(memory)), after_memory_);
  return add_and_norm(x, dense(x, feedforward_), after_feedforward_);
}

}  // namespace neo
