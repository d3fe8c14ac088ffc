#include "observe/grid_vae.h"

#include "kernels/frozen_ops.h"
#include "observe/memo.h"

namespace neo {
namespace nn = torch::nn;
namespace {

constexpr int64_t kSide = 10;
constexpr int64_t kColours = 9;
constexpr int64_t kColourWidth = 16;
constexpr double kDropout = 0.1;

// Position of the layers in the sequentials below: each convolution is followed by BatchNorm, ReLU, dropout.
constexpr size_t kBlock = 4;

template <typename Conv>
void push_block(nn::Sequential& layers, Conv conv, int64_t channels) {
  layers->push_back(conv);
  layers->push_back(nn::BatchNorm2d(channels));
  layers->push_back(nn::ReLU());
  layers->push_back(nn::Dropout2d(kDropout));
}

template <typename Layer>
const Layer& layer(nn::Sequential& layers, size_t index) {
  return dynamic_cast<const Layer&>(*layers->ptr(index));
}

// A transposed convolution with its BatchNorm, ReLU and dropout. LibTorch's own runs one small GEMM per
// image; here the batch is one GEMM, and `fold` adds the patches up.
torch::Tensor upsample(nn::Sequential& layers, size_t block, const torch::Tensor& x, int64_t side,
                       int64_t padding) {
  const auto& conv = layer<nn::ConvTranspose2dImpl>(layers, block * kBlock);
  const int64_t pixels = x.size(2) * x.size(3);
  const auto rows = x.flatten(2).transpose(1, 2).reshape({-1, x.size(1)});
  const auto patches = rows.matmul(conv.weight.flatten(1)).view({x.size(0), pixels, -1}).transpose(1, 2);
  const auto folded = torch::nn::functional::fold(
      patches, torch::nn::functional::FoldFuncOptions({side, side}, {3, 3}).stride(2).padding(padding));
  auto y = folded + conv.bias.view({1, -1, 1, 1});
  y = std::dynamic_pointer_cast<nn::BatchNorm2dImpl>(layers->ptr(block * kBlock + 1))->forward(y);
  return std::dynamic_pointer_cast<nn::Dropout2dImpl>(layers->ptr(block * kBlock + 3))
      ->forward(torch::relu(y));
}

template <typename ConvImpl>
ConvWeights folded(nn::Sequential& layers, size_t block, bool transposed) {
  const auto& conv = layer<ConvImpl>(layers, block * kBlock);
  const auto& norm = layer<nn::BatchNorm2dImpl>(layers, block * kBlock + 1);
  return fold_batch_norm({conv.weight, conv.bias},
                         {norm.weight, norm.bias, norm.running_mean, norm.running_var, norm.options.eps()},
                         transposed);
}

}  // namespace

// Inference with folded BatchNorm on our own kernels; LibTorch's transposed convolution runs one small GEMM
// per image and takes seven times as long.
struct GridVae::Frozen {
  FrozenStackPtr encoder, decoder;
  std::unique_ptr<EncodingMemo> memo;
};

GridVae::GridVae(int64_t width, double beta) : beta_(beta) {
  colours_ = register_module("colours", nn::Embedding(kColours, kColourWidth));
  nn::Sequential encoder;
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(kColourWidth, 64, 3).padding(1)), 64);
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(64, 128, 3).stride(2).padding(1)), 128);
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(128, 256, 3).stride(2)), 256);
  encoder_ = register_module("encoder", encoder);
  mean_ = register_module("mean", nn::Linear(1024, width));
  log_variance_ = register_module("log_variance", nn::Linear(1024, width));
  expand_ = register_module("expand", nn::Linear(width, 1024));
  nn::Sequential decoder;
  push_block(decoder, nn::ConvTranspose2d(nn::ConvTranspose2dOptions(256, 128, 3).stride(2)), 128);
  push_block(
      decoder,
      nn::ConvTranspose2d(nn::ConvTranspose2dOptions(128, 64, 3).stride(2).padding(1).output_padding(1)), 64);
  decoder->push_back(nn::Conv2d(nn::Conv2dOptions(64, kColours, 3).padding(1)));
  decoder_ = register_module("decoder", decoder);
}

GridVae::Posterior GridVae::posterior(const torch::Tensor& observations) {
  const auto colours =
      colours_->forward(observations.to(torch::kLong).view({-1, kSide, kSide})).permute({0, 3, 1, 2});
  const auto features = encoder_->forward(colours).flatten(1);
  return {mean_->forward(features), log_variance_->forward(features)};
}

torch::Tensor GridVae::encode(const torch::Tensor& observations) {
  const auto mean = frozen_ ? (*frozen_->memo)(observations) : posterior(observations).mean;
  return mean.unsqueeze(1);
}

torch::Tensor GridVae::decode(const torch::Tensor& states) {
  if (frozen_) return frozen_forward(states.flatten(1), frozen_->decoder).view({-1, kSide * kSide, kColours});
  auto h = expand_->forward(states.flatten(1)).view({-1, 256, 2, 2});
  h = upsample(decoder_, 0, h, /*side=*/5, /*padding=*/0);
  h = upsample(decoder_, 1, h, /*side=*/10, /*padding=*/1);
  const auto logits = std::dynamic_pointer_cast<nn::Conv2dImpl>(decoder_->ptr(2 * kBlock))->forward(h);
  return logits.permute({0, 2, 3, 1}).reshape({-1, kSide * kSide, kColours});
}

ObservationModel::Decoded GridVae::decode_candidates(const torch::Tensor& states) {
  if (!frozen_) return ObservationModel::decode_candidates(states);
  torch::NoGradGuard no_grad;
  const FrozenRecord record = frozen_record(states.flatten(1), frozen_->decoder);
  return {record.y.view({-1, kSide * kSide, kColours}),
          [record, decoder = frozen_->decoder](const torch::Tensor& chosen, const torch::Tensor& rows) {
            return frozen_replay(chosen.flatten(1), record.y.index_select(0, rows),
                                 record.bits.index_select(0, rows), decoder)
                .view({-1, kSide * kSide, kColours});
          }};
}

torch::Tensor GridVae::pretraining_loss(const torch::Tensor& observations) {
  const Posterior q = posterior(observations);
  const auto sample = q.mean + (0.5 * q.log_variance).exp() * torch::randn_like(q.mean);
  const auto kl = 0.5 * (q.mean.square() + q.log_variance.exp() - 1 - q.log_variance).sum(1).mean();
  return readout().loss(decode(sample.unsqueeze(1)), observations).mean() + beta_ * kl;
}

void GridVae::freeze() {
  ObservationModel::freeze();
  torch::NoGradGuard no_grad;
  frozen_ = std::make_shared<Frozen>();
  const ConvSpec first{.in_channels = kColourWidth,
                       .out_channels = 64,
                       .in_height = kSide,
                       .in_width = kSide,
                       .padding = 1,
                       .relu = true};
  const ConvSpec second{.in_channels = 64,
                        .out_channels = 128,
                        .in_height = 10,
                        .in_width = 10,
                        .stride = 2,
                        .padding = 1,
                        .relu = true};
  const ConvSpec third{
      .in_channels = 128, .out_channels = 256, .in_height = 5, .in_width = 5, .stride = 2, .relu = true};
  frozen_->encoder = std::make_shared<FrozenStack>(
      std::vector<ConvLayer>{
          make_layer(second, folded<nn::Conv2dImpl>(encoder_, 1, false)),
          make_layer(third, folded<nn::Conv2dImpl>(encoder_, 2, false)),
          make_layer(ConvSpec::dense(1024, mean_->weight.size(0)),
                     {to_channels_last(mean_->weight, 256, 2, 2, /*dim=*/1), mean_->bias})},
      make_category_conv(first, colours_->weight, folded<nn::Conv2dImpl>(encoder_, 0, false)));

  const ConvSpec up{.in_channels = 256,
                    .out_channels = 128,
                    .in_height = 2,
                    .in_width = 2,
                    .stride = 2,
                    .transposed = true,
                    .relu = true};
  const ConvSpec up_again{.in_channels = 128,
                          .out_channels = 64,
                          .in_height = 5,
                          .in_width = 5,
                          .stride = 2,
                          .padding = 1,
                          .output_padding = 1,
                          .transposed = true,
                          .relu = true};
  const ConvSpec last{
      .in_channels = 64, .out_channels = kColours, .in_height = 10, .in_width = 10, .padding = 1};
  const auto& read = layer<nn::Conv2dImpl>(decoder_, 2 * kBlock);
  frozen_->decoder = std::make_shared<FrozenStack>(
      std::vector<ConvLayer>{make_layer(ConvSpec::dense(expand_->weight.size(1), 1024),
                                        {to_channels_last(expand_->weight, 256, 2, 2, /*dim=*/0),
                                         to_channels_last(expand_->bias, 256, 2, 2, /*dim=*/0)}),
                             make_layer(up, folded<nn::ConvTranspose2dImpl>(decoder_, 0, true)),
                             make_layer(up_again, folded<nn::ConvTranspose2dImpl>(decoder_, 1, true)),
                             make_layer(last, {read.weight, read.bias})});
  frozen_->memo = std::make_unique<EncodingMemo>(mean_->weight.size(0),
                                                 [encoder = frozen_->encoder](const torch::Tensor& grids) {
                                                   return frozen_forward_categories(grids, encoder);
                                                 });
}

}  // namespace neo
