#include "observe/grid_vae.h"

#include <ATen/Parallel.h>

#include "kernels/frozen_ops.h"
#include "observe/memo.h"

namespace neo {
namespace nn = torch::nn;
namespace {

constexpr int64_t kColourWidth = 16;
constexpr int64_t kDeepest = 256;  // channels after the last convolution
constexpr double kGridDropout = 0.1;
constexpr size_t kPatchesKept = size_t{1} << 18;
constexpr int64_t kGridsAtOnce = 1024;  // whose patches are in memory

// Position of the layers in the sequentials below: each convolution is followed by BatchNorm, ReLU, dropout.
constexpr size_t kBlock = 4;

template <typename Conv>
void push_block(nn::Sequential& layers, Conv conv, int64_t channels) {
  layers->push_back(conv);
  layers->push_back(nn::BatchNorm2d(channels));
  layers->push_back(nn::ReLU());
  layers->push_back(nn::Dropout2d(kGridDropout));
}

template <typename Layer>
const Layer& layer(nn::Sequential& layers, size_t index) {
  return dynamic_cast<const Layer&>(*layers->ptr(index));
}

// A transposed convolution with its BatchNorm, ReLU and dropout. LibTorch's own runs one small GEMM per
// image; here the batch is one GEMM, and `fold` adds the patches up.
torch::Tensor upsample(nn::Sequential& layers, size_t block, const torch::Tensor& x, int64_t rows_out,
                       int64_t columns_out, int64_t padding) {
  const auto& conv = layer<nn::ConvTranspose2dImpl>(layers, block * kBlock);
  const int64_t pixels = x.size(2) * x.size(3);
  const auto rows = x.flatten(2).transpose(1, 2).reshape({-1, x.size(1)});
  const auto patches = rows.matmul(conv.weight.flatten(1)).view({x.size(0), pixels, -1}).transpose(1, 2);
  const auto folded = torch::nn::functional::fold(
      patches, torch::nn::functional::FoldFuncOptions({rows_out, columns_out}, {3, 3}).stride(2).padding(padding));
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

// Nothing stands between `expand` and the first transposed convolution, so together they are one linear map
// of the state, with a twelfth of the products.
ConvWeights first_upsampling(nn::Linear& expand, nn::Sequential& decoder, int64_t side, int64_t output_padding) {
  const auto conv = folded<nn::ConvTranspose2dImpl>(decoder, 0, true);
  const auto run = [&](const torch::Tensor& states) {
    return torch::conv_transpose2d(expand->forward(states).view({-1, kDeepest, side, side}), conv.weight, conv.bias,
                                   /*stride=*/2, /*padding=*/0, output_padding)
        .permute({0, 2, 3, 1})
        .flatten(1);
  };
  const int64_t width = expand->weight.size(1);
  const auto bias = run(torch::zeros({1, width}));
  return {(run(torch::eye(width)) - bias).t(), bias.squeeze(0)};
}

// Each of the n x n outputs of the encoder's second convolution sees 5 x 5 cells: grids differ, but these patches
// recur. uint8 [B, side side] -> [n n B, 25], with the value V beyond the edge.
constexpr int64_t kPatch = 5;
torch::Tensor patches(const torch::Tensor& grids, int64_t side, int64_t n, int64_t outside) {
  constexpr int64_t kMargin = 2;
  const int64_t wide = side + 2 * kMargin + 1;  // one more: the last patch of an even side reaches there
  const auto cells =
      torch::constant_pad_nd(grids.view({-1, side, side}), {kMargin, kMargin + 1, kMargin, kMargin + 1}, outside);
  auto out = torch::empty({cells.size(0) * n * n, kPatch * kPatch}, torch::kByte);
  at::parallel_for(0, cells.size(0), /*grain_size=*/64, [&](int64_t begin, int64_t end) {
    auto* patch = out.data_ptr<uint8_t>() + begin * n * n * kPatch * kPatch;
    for (int64_t i = begin; i < end; ++i) {
      const auto* grid = cells.data_ptr<uint8_t>() + i * wide * wide;
      for (int64_t y = 0; y < n; ++y) {
        for (int64_t x = 0; x < n; ++x) {
          for (int64_t row = 0; row < kPatch; ++row, patch += kPatch)
            std::copy_n(grid + (2 * y + row) * wide + 2 * x, kPatch, patch);
        }
      }
    }
  });
  return out;
}

// The first two convolutions of a patch -> [P, 128]. A cell outside has no colour and, since the second
// convolution pads with zeros, no features either: an extra channel closes its ReLU.
FrozenStackPtr patch_encoder(const torch::Tensor& colours, const ConvWeights& first,
                             const ConvWeights& second) {
  constexpr double kClosed = -1e6;
  const auto embedding = torch::constant_pad_nd(colours, {0, 1, 0, 1});
  embedding[colours.size(0)][kColourWidth] = 1.0;
  const auto weight = torch::constant_pad_nd(first.weight, {0, 0, 0, 0, 0, 1});
  weight.select(1, kColourWidth).select(1, 1).select(1, 1).fill_(kClosed);
  const ConvSpec cells{.in_channels = kColourWidth + 1,
                       .out_channels = 64,
                       .in_height = kPatch,
                       .in_width = kPatch,
                       .relu = true};
  const ConvSpec features{
      .in_channels = 64, .out_channels = 128, .in_height = 3, .in_width = 3, .relu = true};
  return std::make_shared<FrozenStack>(std::vector<ConvLayer>{make_layer(features, second)},
                                       make_category_conv(cells, embedding, {weight, first.bias}));
}

// Logits count only relative to each other, so the frozen decoder computes them relative to the first value: with
// nine values eight numbers, one register, per cell.
torch::Tensor with_first_colour(const torch::Tensor& relative, const Space& space) {
  return torch::constant_pad_nd(relative.view({-1, space.size(), space.most_values() - 1}), {1, 0});
}

// The decoder's products may be rounded in training: whoever reads its results reads the likeliest values. The
// encoder's may not, since its states are remembered, by validation as well as by training.
std::vector<ConvLayer> roundable(std::vector<ConvLayer> layers) {
  for (ConvLayer& layer : layers) layer.allow_rounding();
  return layers;
}

ConvWeights relative_to_first(const ConvWeights& w) {
  return {w.weight.slice(0, 1) - w.weight.slice(0, 0, 1), w.bias.slice(0, 1) - w.bias.slice(0, 0, 1)};
}

}  // namespace

// Inference with folded BatchNorm on our own kernels; LibTorch's transposed convolution runs one small GEMM
// per image and takes seven times as long.
struct GridVae::Frozen {
  FrozenStackPtr decoder;
  std::unique_ptr<EncodingMemo> patch_memo, memo;
};

GridVae::Sides GridVae::Sides::of(int64_t side) {
  const int64_t second = (side - 1) / 2 + 1;
  return {side, second, (second - 3) / 2 + 1};
}

GridVae::GridVae(const Space& space, int64_t width, double beta)
    : ObservationModel(space),
      rows_(Sides::of(space.rows())),
      columns_(Sides::of(space.columns())),
      width_(width),
      beta_(beta) {
  const int64_t values = space.most_values();
  const int64_t features = kDeepest * rows_.third * columns_.third;
  colours_ = register_module("colours", nn::Embedding(values, kColourWidth));
  nn::Sequential encoder;
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(kColourWidth, 64, 3).padding(1)), 64);
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(64, 128, 3).stride(2).padding(1)), 128);
  push_block(encoder, nn::Conv2d(nn::Conv2dOptions(128, kDeepest, 3).stride(2)), kDeepest);
  encoder_ = register_module("encoder", encoder);
  mean_ = register_module("mean", nn::Linear(features, width));
  log_variance_ = register_module("log_variance", nn::Linear(features, width));
  expand_ = register_module("expand", nn::Linear(width, features));
  nn::Sequential decoder;
  push_block(decoder, nn::ConvTranspose2d(nn::ConvTranspose2dOptions(kDeepest, 128, 3).stride(2)), 128);
  push_block(decoder, nn::ConvTranspose2d(nn::ConvTranspose2dOptions(128, 64, 3).stride(2).padding(1)), 64);
  decoder->push_back(nn::Conv2d(nn::Conv2dOptions(64, values, 3).padding(1)));
  decoder_ = register_module("decoder", decoder);
}

GridVae::Posterior GridVae::posterior(const torch::Tensor& observations) {
  const auto colours =
      colours_->forward(observations.to(torch::kLong).view({-1, rows_.first, columns_.first})).permute({0, 3, 1, 2});
  const auto features = encoder_->forward(colours).flatten(1);
  return {mean_->forward(features), log_variance_->forward(features)};
}

torch::Tensor GridVae::encode(const torch::Tensor& observations) {
  const auto mean = frozen_ ? (*frozen_->memo)(observations) : posterior(observations).mean;
  return mean.unsqueeze(1);
}

torch::Tensor GridVae::decode(const torch::Tensor& states) {
  if (frozen_) return with_first_colour(frozen_forward(states.flatten(1), frozen_->decoder), space());
  auto h = expand_->forward(states.flatten(1)).view({-1, kDeepest, rows_.third, columns_.third});
  h = upsample(decoder_, 0, h, rows_.second, columns_.second, /*padding=*/0);
  h = upsample(decoder_, 1, h, rows_.first, columns_.first, /*padding=*/1);
  const auto logits = std::dynamic_pointer_cast<nn::Conv2dImpl>(decoder_->ptr(2 * kBlock))->forward(h);
  return logits.permute({0, 2, 3, 1}).reshape({-1, space().size(), space().most_values()});
}

ObservationModel::Decoded GridVae::decode_candidates(const torch::Tensor& states) {
  if (!frozen_) return ObservationModel::decode_candidates(states);
  torch::NoGradGuard no_grad;
  const FrozenRecord record = frozen_record(states.flatten(1), frozen_->decoder);
  return {with_first_colour(record.y, space()),
          [this, record, decoder = frozen_->decoder](const torch::Tensor& chosen, const torch::Tensor& rows) {
            return with_first_colour(frozen_replay(chosen.flatten(1), record.y.index_select(0, rows),
                                                   record.bits.index_select(0, rows), decoder),
                                     space());
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
  // The kernels have one side and one output padding; other grids stay with LibTorch.
  if (rows_.first != columns_.first) return;
  const int64_t side = rows_.first, values = space().most_values();
  frozen_ = std::make_shared<Frozen>();
  const auto first = patch_encoder(colours_->weight, folded<nn::Conv2dImpl>(encoder_, 0, false),
                                   folded<nn::Conv2dImpl>(encoder_, 1, false));
  const ConvSpec third{.in_channels = 128,
                       .out_channels = kDeepest,
                       .in_height = rows_.second,
                       .in_width = rows_.second,
                       .stride = 2,
                       .relu = true};
  const auto mean = to_channels_last(mean_->weight, kDeepest, rows_.third, rows_.third, /*dim=*/1);
  const auto rest = std::make_shared<FrozenStack>(
      std::vector<ConvLayer>{make_layer(third, folded<nn::Conv2dImpl>(encoder_, 2, false)),
                             make_layer(ConvSpec::dense(mean_->weight.size(1), width_), {mean, mean_->bias})});
  frozen_->patch_memo = std::make_unique<EncodingMemo>(
      128, [first](const torch::Tensor& cells) { return frozen_forward_categories(cells, first); },
      kPatchesKept);
  auto& patch_memo = *frozen_->patch_memo;
  frozen_->memo = std::make_unique<EncodingMemo>(
      width_, [&patch_memo, rest, side, n = rows_.second, values](const torch::Tensor& grids) {
        std::vector<torch::Tensor> states;
        for (const auto& some : grids.split(kGridsAtOnce))
          states.push_back(
              frozen_forward(patch_memo(patches(some, side, n, values)).view({some.size(0), -1}), rest));
        return torch::cat(states);
      });

  const ConvSpec up_again{.in_channels = 128,
                          .out_channels = 64,
                          .in_height = rows_.second,
                          .in_width = rows_.second,
                          .stride = 2,
                          .padding = 1,
                          .output_padding = rows_.padding_to_first(),
                          .transposed = true,
                          .relu = true};
  const ConvSpec last{
      .in_channels = 64, .out_channels = values - 1, .in_height = side, .in_width = side, .padding = 1};
  const auto& read = layer<nn::Conv2dImpl>(decoder_, 2 * kBlock);
  frozen_->decoder = std::make_shared<FrozenStack>(roundable({
      make_layer(ConvSpec::dense(width_, rows_.second * rows_.second * 128, /*relu=*/true),
                 first_upsampling(expand_, decoder_, rows_.third, rows_.padding_to_second())),
      make_layer(up_again, folded<nn::ConvTranspose2dImpl>(decoder_, 1, true)),
      make_layer(last, relative_to_first({read.weight, read.bias}))}));
}

}  // namespace neo
