#include <gtest/gtest.h>

#include "core/error.h"
#include "observe/grid_vae.h"
#include "observe/linear_observation.h"
#include "observe/memo.h"
#include "observe/pretrain.h"
#include "observe/residual_vae.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

constexpr int64_t kPixels = 32 * 32 * 3;

torch::Tensor random_images(int64_t count) { return torch::randint(0, 256, {count, kPixels}, torch::kUInt8); }

torch::Tensor random_grids(int64_t count) { return torch::randint(0, 9, {count, 100}, torch::kUInt8); }

TEST(Readout, CategoricalLossIsTheMeanCrossEntropy) {
  const Readout readout = Readout::categorical(9);
  const auto logits = torch::randn({4, 100, 9});
  const auto target = random_grids(4);
  const auto expected = torch::nn::functional::cross_entropy(
                            logits.flatten(0, 1), target.flatten().to(torch::kLong),
                            torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone))
                            .view({4, 100})
                            .mean(1);
  EXPECT_TRUE(torch::allclose(readout.loss(logits, target), expected, 1e-4, 1e-5));
}

TEST(Readout, ExactMeansEveryCell) {
  const Readout readout = Readout::categorical(9);
  const auto target = random_grids(2);
  auto logits = torch::one_hot(target.to(torch::kLong), 9).to(torch::kFloat);
  logits[1][7] = torch::one_hot((target[1][7].to(torch::kLong) + 1) % 9, 9).to(torch::kFloat);
  const Reading reading = readout.read(logits, target);
  EXPECT_TRUE(reading.exact[0].item<bool>());
  EXPECT_FALSE(reading.exact[1].item<bool>());
}

TEST(Readout, PixelsHardenToEightBits) {
  const Readout readout = Readout::pixels();
  const auto hard = readout.harden(torch::tensor({{-0.2, 0.5, 1.3}}));
  EXPECT_TRUE(torch::equal(hard, torch::tensor({{0, 128, 255}}, torch::kUInt8)));
}

TEST(TokenEmbedding, LearnsToReconstructEveryGrid) {
  torch::manual_seed(1);
  TokenEmbedding model(9, 8);
  const auto grids = random_grids(512);
  pretrain(model, grids, {.steps = 200, .batch = 16, .rate = 2e-2}, 1);
  EXPECT_EQ(reconstruction(model, random_grids(64)), 1.0);
}

TEST(GridVae, FrozenKernelsAgreeWithTheTrainableNetwork) {
  torch::manual_seed(3);
  GridVae model(32, 1e-5);
  model.train();
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 3; ++i) model.pretraining_loss(random_grids(32));  // moves the BatchNorm statistics
  model.eval();
  const auto grids = random_grids(9);
  const auto states = model.encode(grids);
  const auto logits = model.decode(states);
  model.freeze();
  EXPECT_TRUE(torch::allclose(model.encode(grids), states, 1e-3, 1e-4));
  // Logits of a cell may differ by a constant.
  EXPECT_TRUE(torch::allclose(model.decode(states).log_softmax(2), logits.log_softmax(2), 1e-3, 1e-4));
}

TEST(GridVae, FrozenDecoderPassesTheGradientToTheState) {
  torch::manual_seed(4);
  GridVae model(32, 1e-5);
  model.eval();
  const auto target = random_grids(3);
  const auto gradient = [&](bool freeze) {
    if (freeze) model.freeze();
    auto state = torch::full({3, 1, 32}, 0.1).set_requires_grad(true);
    model.readout().loss(model.decode(state), target).sum().backward();
    return state.grad();
  };
  const auto slow = gradient(false);
  EXPECT_TRUE(torch::allclose(gradient(true), slow, 1e-3, 1e-5));
}

TEST(EncodingMemo, EncodesEachObservationOnce) {
  int64_t encoded = 0;
  EncodingMemo memo(2, [&](const torch::Tensor& o) {
    encoded += o.size(0);
    return o.to(torch::kFloat).narrow(1, 0, 2);
  });
  const auto first = torch::tensor({{1, 2, 3}, {4, 5, 6}, {1, 2, 3}}, torch::kUInt8);
  EXPECT_TRUE(torch::equal(memo(first), first.to(torch::kFloat).narrow(1, 0, 2)));
  memo(first);
  EXPECT_EQ(encoded, 2);
}

TEST(EncodingMemo, ForgetsWhenFullAndStaysRight) {
  EncodingMemo memo(
      1, [](const torch::Tensor& o) { return o.to(torch::kFloat); }, 4);
  for (int round = 0; round < 3; ++round) {
    for (int value = 0; value < 9; value += 3) {
      const auto o = torch::tensor({{value}, {value + 1}, {value + 2}}, torch::kUInt8);
      EXPECT_TRUE(torch::equal(memo(o), o.to(torch::kFloat)));
    }
  }
}

TEST(LinearObservation, PrincipalComponentsGiveImagesBack) {
  torch::manual_seed(4);
  // Images of a six-dimensional space: eight components must reconstruct them.
  const auto directions = torch::randn({6, 3072});
  const auto images = [&](int64_t rows) {
    const auto values = 0.5 + 0.02 * torch::randn({rows, 6}).matmul(directions);
    return (values.clamp(0, 1) * 255).round().to(torch::kUInt8);
  };
  const auto model = make_observation_model({.kind = "linear", .tokens = 1, .width = 8}, imaging());
  EXPECT_TRUE(model->fit(images(400)));
  EXPECT_LT(reconstruction(*model, images(50)), 0.004);  // a byte is 1/255
  const auto states = model->encode(images(400)).squeeze(1);
  EXPECT_NEAR(states.select(1, 0).std().item<double>(), 1.0, 0.2);  // divided by the spread
  EXPECT_GT(model->spread()[0].item<double>(), model->spread()[5].item<double>());
  const auto some = images(20);
  EXPECT_TRUE(
      torch::allclose(model->encode_leading(some, 3), model->encode(some).narrow(2, 0, 3), 1e-4, 1e-4));
}

TEST(LinearObservation, AFrozenStateIsAFunctionOfItsImageAloneToTheLastBit) {
  torch::manual_seed(5);
  LinearObservation model(/*pixels=*/100, /*width=*/40);
  const auto images = torch::randint(0, 256, {200, 100}, torch::kUInt8);
  model.fit(images);
  const auto before = model.encode(images);
  model.freeze();
  const auto frozen = model.encode(images);
  EXPECT_TRUE(torch::allclose(before, frozen, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(frozen.narrow(2, 0, 7), model.encode_leading(images, 7), 1e-4, 1e-4));
  for (const int64_t count : {1, 5, 77})
    EXPECT_TRUE(torch::equal(model.encode(images.narrow(0, 3, count)), frozen.narrow(0, 3, count)));
}

TEST(ResidualVae, HasTheReleasedShape) {
  const ResidualVae model(kPixels, 256, 1e-4);
  int64_t parameters = 0;
  for (const auto& p : model.parameters()) parameters += p.numel();
  // By hand, 3x3 kernels and the 1x1 shortcuts without bias, two numbers per BatchNorm channel:
  const auto stage = [](int64_t in, int64_t out, int64_t skip) {
    return 9 * in * out + 9 * out * out + skip * (in * out + 2 * out) + 4 * out;
  };
  const int64_t encoder = 27 * 64 + 128 + stage(64, 64, 0) + stage(64, 128, 1) + stage(128, 256, 1) +
                          stage(256, 512, 1) + 2 * (8192 * 256 + 256);
  const int64_t decoder =
      256 * 8192 + 8192 + stage(512, 256, 1) + stage(256, 128, 1) + stage(128, 64, 1) + 27 * 64 + 3;
  EXPECT_EQ(parameters, encoder + decoder);
  EXPECT_THROW(ResidualVae(100, 256, 1e-4), UsageError);
}

TEST(ResidualVae, EncodesToTheMeanAndDecodesToPixelsInTheirPlaces) {
  torch::manual_seed(5);
  ResidualVae model(kPixels, 8, 1e-4);
  model.freeze();
  const auto images = random_images(2);
  const auto states = model.encode(images);
  EXPECT_EQ(states.sizes(), (torch::IntArrayRef{2, 1, 8}));
  EXPECT_TRUE(torch::equal(model.encode(images), states));  // nothing is drawn
  const auto pixels = model.decode(states);
  EXPECT_EQ(pixels.sizes(), (torch::IntArrayRef{2, kPixels}));
  EXPECT_GE(pixels.min().item<float>(), 0);
  EXPECT_LE(pixels.max().item<float>(), 1);
  // The last layer's biases tell which values are red: they must be every third.
  torch::NoGradGuard no_grad;
  model.named_parameters()["decoder.3.bias"].copy_(torch::tensor({100.0, -100.0, -100.0}));
  const auto red = model.decode(states).view({2, -1, 3});
  EXPECT_TRUE((red.select(2, 0) > 0.99).all().item<bool>());
  EXPECT_TRUE((red.slice(2, 1) < 0.01).all().item<bool>());
}

TEST(ResidualVae, PassesTheGradientToTheStateWhenFrozen) {
  torch::manual_seed(6);
  ResidualVae model(kPixels, 8, 1e-4);
  model.freeze();
  auto state = torch::randn({1, 1, 8}).set_requires_grad(true);
  const auto target = random_images(1);
  const auto decoded = model.decode_candidates(state.detach());
  const auto again = decoded.replay(state, torch::zeros({1}, torch::kLong));
  EXPECT_TRUE(torch::allclose(again, decoded.prediction));
  model.readout().loss(again, target).sum().backward();
  EXPECT_GT(state.grad().abs().sum().item<float>(), 0);
}

TEST(ResidualVae, LearnsBrightColoursInAFewSteps) {
  torch::manual_seed(7);
  ResidualVae model(kPixels, 8, 1e-4);
  const auto colours = torch::randint(200, 256, {4, 1, 3}, torch::kUInt8);
  const auto images = colours.expand({4, 1024, 3}).reshape({4, -1});  // one colour each; grey would leave 0.4
  pretrain(model, images, {.steps = 10, .batch = 4, .rate = 1e-3}, 1);
  model.train();  // ten steps are too few for the running statistics of BatchNorm
  EXPECT_LT(model.pretraining_loss(images).item<double>(), 0.2);
}

}  // namespace
}  // namespace neo
