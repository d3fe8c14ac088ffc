#include "observe/residual_vae.h"

#include "core/error.h"

namespace neo {
namespace nn = torch::nn;
namespace {

constexpr int64_t kDeepest = 512;   // channels at the bottleneck
constexpr int64_t kSideFactor = 8;  // by which three stages shrink each side
constexpr double kImageDropout = 0.1;
constexpr int64_t kImagesAtOnce = 512;  // bounds the memory of frozen passes

//   x --> main --+--> ReLU
//    \--> skip --/      an empty skip is the identity
class ResidualStageImpl : public nn::Module {
 public:
  ResidualStageImpl(nn::Sequential main, nn::Sequential skip)
      : main_(register_module("main", std::move(main))), skip_(register_module("skip", std::move(skip))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    const auto passed = skip_->is_empty() ? x : skip_->forward(x);
    return torch::relu(main_->forward(x) + passed);
  }

 private:
  nn::Sequential main_, skip_;
};
TORCH_MODULE(ResidualStage);

// A bias would be taken away by the BatchNorm that follows every one of these.
nn::Conv2d conv(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

nn::ConvTranspose2d doubling(int64_t in, int64_t out, int64_t kernel) {
  return nn::ConvTranspose2d(nn::ConvTranspose2dOptions(in, out, kernel)
                                 .stride(2)
                                 .padding(kernel / 2)
                                 .output_padding(1)
                                 .bias(false));
}

template <typename First>
nn::Sequential main_path(First first, int64_t channels) {
  return nn::Sequential(first, nn::BatchNorm2d(channels), nn::ReLU(), nn::Dropout2d(kImageDropout),
                        conv(channels, channels, 3, 1), nn::BatchNorm2d(channels));
}

ResidualStage down(int64_t in, int64_t out, int64_t stride) {
  nn::Sequential skip;
  if (in != out || stride != 1) skip = nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out));
  return ResidualStage(main_path(conv(in, out, 3, stride), out), skip);
}

ResidualStage up(int64_t in, int64_t out) {
  return ResidualStage(main_path(doubling(in, out, 3), out),
                       nn::Sequential(doubling(in, out, 1), nn::BatchNorm2d(out)));
}

// f of all rows, a bounded number at a time; right only where rows do not depend on each other (BatchNorm in
// eval mode).
template <typename F>
torch::Tensor in_parts(const torch::Tensor& rows, F&& f) {
  if (rows.size(0) <= kImagesAtOnce) return f(rows);
  std::vector<torch::Tensor> parts;
  for (const auto& part : rows.split(kImagesAtOnce)) parts.push_back(f(part));
  return torch::cat(parts);
}

}  // namespace

ResidualVae::ResidualVae(const Space& space, int64_t width, double beta)
    : ObservationModel(space), width_(width), beta_(beta) {
  const int64_t channels = space.channels();
  const int64_t features = kDeepest * (space.rows() / kSideFactor) * (space.columns() / kSideFactor);
  encoder_ = register_module(
      "encoder", nn::Sequential(conv(channels, 64, 3, 1), nn::BatchNorm2d(64), nn::ReLU(), down(64, 64, 1),
                                down(64, 128, 2), down(128, 256, 2), down(256, kDeepest, 2), nn::Flatten()));
  mean_ = register_module("mean", nn::Linear(features, width));
  log_variance_ = register_module("log_variance", nn::Linear(features, width));
  expand_ = register_module("expand", nn::Linear(width, features));
  decoder_ = register_module(
      "decoder", nn::Sequential(up(kDeepest, 256), up(256, 128), up(128, 64),
                                nn::Conv2d(nn::Conv2dOptions(64, channels, 3).padding(1)), nn::Sigmoid()));
}

torch::Tensor ResidualVae::features(const torch::Tensor& observations) {
  const auto pixels = observations.to(mean_->weight.options()) / 255.0;
  const auto image =
      pixels.view({-1, space().rows(), space().columns(), space().channels()}).permute({0, 3, 1, 2});
  return encoder_->forward(image.contiguous());  // channels last, LibTorch takes 1.7 times as long on a CPU
}

torch::Tensor ResidualVae::draw(const torch::Tensor& states) {
  const auto deepest = expand_->forward(states).view(
      {-1, kDeepest, space().rows() / kSideFactor, space().columns() / kSideFactor});
  const auto image = decoder_->forward(deepest);
  return image.permute({0, 2, 3, 1}).flatten(1);
}

torch::Tensor ResidualVae::encode(const torch::Tensor& observations) {
  const auto mean = [this](const torch::Tensor& rows) { return mean_->forward(features(rows)); };
  return (is_training() ? mean(observations) : in_parts(observations, mean)).unsqueeze(1);
}

torch::Tensor ResidualVae::decode(const torch::Tensor& states) {
  const auto image = [this](const torch::Tensor& rows) { return draw(rows); };
  return is_training() ? image(states.flatten(1)) : in_parts(states.flatten(1), image);
}

torch::Tensor ResidualVae::pretraining_loss(const torch::Tensor& observations) {
  const auto h = features(observations);
  const auto mean = mean_->forward(h);
  const auto log_variance = log_variance_->forward(h);
  const auto sample = mean + (0.5 * log_variance).exp() * torch::randn_like(mean);
  const auto kl = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(1).mean();
  return readout().loss(draw(sample), observations).mean() + beta_ * kl;
}

}  // namespace neo
