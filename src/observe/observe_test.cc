#include <gtest/gtest.h>

#include "observe/grid_vae.h"
#include "observe/memo.h"
#include "observe/pretrain.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

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
  EXPECT_TRUE(torch::allclose(model.decode(states), logits, 1e-3, 1e-4));
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
}

}  // namespace
}  // namespace neo
