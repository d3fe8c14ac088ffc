#pragma once

#include <torch/torch.h>

namespace neo {

struct TransformerShape {
  int64_t width = 64, heads = 4, feedforward = 256;
};

// Multi-head attention with its projections: [B, Tq, d], [B, Tk, d] -> [B, Tq, d].
class AttentionImpl : public torch::nn::Module {
 public:
  explicit AttentionImpl(const TransformerShape& shape);
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& memory);

 private:
  int64_t heads_;
  torch::nn::Linear query_{nullptr}, memory_{nullptr}, out_{nullptr};
};
TORCH_MODULE(Attention);

// Post-norm: x <- norm(x + attention(x, x)); x <- norm(x + feed-forward(x)).
class EncoderLayerImpl : public torch::nn::Module {
 public:
  explicit EncoderLayerImpl(const TransformerShape& shape);
  // All tokens attend and are attended to; only the first `asked` are returned (0: all).
  torch::Tensor forward(const torch::Tensor& tokens, int64_t asked = 0);

 private:
  Attention attention_{nullptr};
  torch::nn::Sequential feedforward_{nullptr};
  torch::nn::LayerNorm after_attention_{nullptr}, after_feedforward_{nullptr};
};
TORCH_MODULE(EncoderLayer);

// Post-norm decoder layer whose memory is one token: all attention goes to it, so the result is the
// token's value, whatever the queries and keys, which are omitted (their gradient is zero).
class DecoderLayerImpl : public torch::nn::Module {
 public:
  explicit DecoderLayerImpl(const TransformerShape& shape);
  torch::Tensor forward(const torch::Tensor& tokens, const torch::Tensor& memory);  // [B, T, d], [B, 1, d]

 private:
  Attention attention_{nullptr};
  torch::nn::Linear value_{nullptr}, out_{nullptr};
  torch::nn::Sequential feedforward_{nullptr};
  torch::nn::LayerNorm after_attention_{nullptr}, after_memory_{nullptr}, after_feedforward_{nullptr};
};
TORCH_MODULE(DecoderLayer);

}  // namespace neo
