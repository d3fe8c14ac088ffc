#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing.h"
#include "observe/grid_vae.h"
#include "observe/memo.h"
#include "observe/pretrain.h"
#include "observe/residual_vae.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

const Space kGrid{.layout = Layout::grid, .shape = {10, 10}, .values = {9}};
const Space kImage{.kind = Kind::pixels, .layout = Layout::image, .shape = {32, 32, 3}};
const Space kReals{.kind = Kind::real, .layout = Layout::vector, .shape = {2}};
constexpr int64_t kPixels = 32 * 32 * 3;

torch::Tensor random_images(int64_t count) { return torch::randint(0, 256, {count, kPixels}, torch::kUInt8); }

torch::Tensor random_grids(const Space& space, int64_t count) {
  return torch::randint(0, space.most_values(), {count, space.size()}, torch::kUInt8);
}
torch::Tensor random_grids(int64_t count) { return random_grids(kGrid, count); }

TEST(Readout, CategoricalLossIsTheMeanCrossEntropy) {
  const Readout readout(kGrid);
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
  const Readout readout(kGrid);
  const auto target = random_grids(2);
  auto logits = torch::one_hot(target.to(torch::kLong), 9).to(torch::kFloat);
  logits[1][7] = torch::one_hot((target[1][7].to(torch::kLong) + 1) % 9, 9).to(torch::kFloat);
  const Reading reading = readout.read(logits, target);
  EXPECT_TRUE(reading.exact[0].item<bool>());
  EXPECT_FALSE(reading.exact[1].item<bool>());
}

TEST(Readout, PixelsHardenToEightBits) {
  const Readout readout(kImage);
  const auto hard = readout.harden(torch::tensor({{-0.2, 0.5, 1.3}}));
  EXPECT_TRUE(torch::equal(hard, torch::tensor({{0, 128, 255}}, torch::kUInt8)));
}

TEST(Readout, ManyCategoriesAreReadAsSixteenBits) {
  const Readout readout(Space{.layout = Layout::sequence, .shape = {5}, .values = {1000}});
  const auto target = torch::tensor({{0, 255, 256, 999, 1}}, torch::kShort);
  const auto logits = 9.0 * torch::one_hot(target.to(torch::kLong), 1000).to(torch::kFloat);
  const Reading reading = readout.read(logits, target);
  EXPECT_EQ(reading.hard.scalar_type(), torch::kShort);
  EXPECT_TRUE(torch::equal(reading.hard, target));
  EXPECT_TRUE(reading.exact.item<bool>());
  EXPECT_TRUE(torch::equal(readout.harden(logits), target));
}

TEST(Readout, RealNumbersAreMeasuredInUnitsOfTheirSpread) {
  const Readout readout(kReals, torch::tensor({1.0, 10.0}));
  const auto prediction = torch::tensor({{2.0, 30.0}, {0.0, 0.0}}, torch::requires_grad());
  const auto target = torch::zeros({2, 2});
  EXPECT_TRUE(torch::allclose(readout.loss(prediction, target), torch::tensor({2.5, 0.0})));
  EXPECT_TRUE(readout.loss(prediction, target).requires_grad());
  const auto error = readout.error(prediction.detach(), target);
  EXPECT_NEAR(error[0].item<double>(), std::sqrt((4.0 + 9.0) / 2), 1e-9);
  EXPECT_EQ(error[1].item<double>(), 0.0);
}

TEST(Readout, RealNumbersAreTheirOwnHardObservationAndNeverExact) {
  const Readout readout(kReals);
  const auto numbers = torch::tensor({{0.25, -3.0}});
  const Reading reading = readout.read(numbers, numbers);
  EXPECT_TRUE(torch::equal(reading.hard, numbers));
  EXPECT_EQ(reading.loss.item<float>(), 0);
  EXPECT_EQ(reading.self_loss.item<float>(), 0);
  EXPECT_FALSE(reading.exact.item<bool>());
}

TEST(Readout, ErrorsAreSharesOfElementsOrMeanL1) {
  auto grids = random_grids(1);
  auto other = grids.clone();
  other.slice(1, 0, 25) = (other.slice(1, 0, 25) + 1) % 9;
  EXPECT_DOUBLE_EQ(Readout(kGrid).error(grids, other).item<double>(), 0.25);
  const auto dark = torch::zeros({1, kPixels}, torch::kUInt8);
  EXPECT_NEAR(Readout(kImage).error(dark, torch::full_like(dark, 51)).item<double>(), 0.2, 1e-9);
}

TEST(ObservationModels, AKindThatDoesNotSuitTheObservationsIsRefused) {
  const Space real_vectors = kReals;
  const Space odd{.kind = Kind::pixels, .layout = Layout::image, .shape = {30, 32, 1}};
  const Space narrow_grid{.layout = Layout::grid, .shape = {12, 4}, .values = {3}};
  for (const auto& [kind, space] : std::vector<std::pair<std::string, Space>>{{"tokens", real_vectors},
                                                                              {"digits", kImage},
                                                                              {"grid-vae", narrow_grid},
                                                                              {"linear", kGrid},
                                                                              {"residual-vae", odd}}) {
    const std::string message = testing::error_of([&] { make_observation_model({.kind = kind}, space); });
    EXPECT_CONTAINS(message, kind);
    EXPECT_CONTAINS(message, describe(space));
  }
}

TEST(TokenEmbedding, LearnsToReconstructEveryGrid) {
  torch::manual_seed(1);
  TokenEmbedding model(kGrid, 8);
  const auto grids = random_grids(512);
  pretrain(model, grids, {.steps = 200, .batch = 16, .rate = 2e-2}, 1);
  EXPECT_EQ(reconstruction(model, random_grids(64)), 1.0);
}

TEST(TokenEmbedding, ChannelsOfACellLieSideBySideInItsToken) {
  torch::manual_seed(2);
  const Space space{.layout = Layout::grid, .shape = {5, 4, 3}, .values = {6, 2, 4}};
  TokenEmbedding model(space, 8);
  const StateShape shape = model.state();
  EXPECT_EQ(shape.tokens, 20);
  EXPECT_EQ(shape.width, 24);
  EXPECT_EQ(shape.rows, 5);
  EXPECT_EQ(shape.columns, 4);
  std::vector<torch::Tensor> channels;
  for (int64_t values : space.values) channels.push_back(torch::randint(0, values, {7, 20}, torch::kUInt8));
  const auto cells = torch::stack(channels, 2).flatten(1);
  model.freeze();
  const auto states = model.encode(cells);
  ASSERT_EQ(states.sizes(), (torch::IntArrayRef{7, 20, 24}));
  EXPECT_TRUE(
      torch::equal(states[3][11].narrow(0, 8, 8), model.vectors()[channels[1][3][11].item<int64_t>()]));
  const auto logits = model.decode(states);
  ASSERT_EQ(logits.sizes(), (torch::IntArrayRef{7, 60, 6}));
  EXPECT_TRUE(torch::equal(model.readout().harden(logits), cells));
  EXPECT_EQ(reconstruction(model, cells), 1.0);
}

TEST(TokenEmbedding, NoChannelIsPredictedToHaveAValueBeyondItsOwn) {
  torch::manual_seed(3);
  const Space space{.layout = Layout::grid, .shape = {5, 4, 3}, .values = {6, 2, 4}};
  TokenEmbedding model(space, 8);
  model.freeze();
  const auto hard = model.readout().harden(model.decode(torch::randn({50, 20, 24}))).view({-1, 3});
  for (int64_t c = 0; c < 3; ++c)
    EXPECT_EQ(hard.select(1, c).max().item<int64_t>(), space.values[static_cast<size_t>(c)] - 1);
}

void expect_frozen_like_trainable(const Space& space) {
  SCOPED_TRACE(describe(space));
  torch::manual_seed(3);
  GridVae model(space, 32, 1e-5);
  model.train();
  torch::NoGradGuard no_grad;
  for (int i = 0; i < 3; ++i)
    model.pretraining_loss(random_grids(space, 32));  // moves the BatchNorm statistics
  model.eval();
  const auto grids = random_grids(space, 9);
  const auto states = model.encode(grids);
  const auto logits = model.decode(states);
  ASSERT_EQ(states.sizes(), (torch::IntArrayRef{9, 1, 32}));
  ASSERT_EQ(logits.sizes(), (torch::IntArrayRef{9, space.size(), space.most_values()}));
  model.freeze();
  EXPECT_TRUE(torch::allclose(model.encode(grids), states, 1e-3, 1e-4));
  // Logits of a cell may differ by a constant.
  EXPECT_TRUE(torch::allclose(model.decode(states).log_softmax(2), logits.log_softmax(2), 1e-3, 1e-4));
}

TEST(GridVae, FrozenKernelsAgreeWithTheTrainableNetwork) {
  expect_frozen_like_trainable(kGrid);
  expect_frozen_like_trainable({.layout = Layout::grid, .shape = {12, 12}, .values = {6}});
  expect_frozen_like_trainable({.layout = Layout::grid, .shape = {7, 7}, .values = {2}});
}

TEST(GridVae, GridsThatAreNotSquareKeepTheirFormFrozenOrNot) {
  expect_frozen_like_trainable({.layout = Layout::grid, .shape = {12, 7}, .values = {6}});
  expect_frozen_like_trainable({.layout = Layout::grid, .shape = {5, 9}, .values = {3}});
}

TEST(GridVae, UpsamplesLikeATransposedConvolution) {
  torch::manual_seed(8);
  const Space space{.layout = Layout::grid, .shape = {12, 7}, .values = {6}};
  GridVae model(space, 16, 1e-5);
  model.eval();
  torch::NoGradGuard no_grad;
  const auto p = model.named_parameters();
  const auto b = model.named_buffers();
  const auto state = torch::randn({2, 1, 16});
  // 12 x 7 cells became 6 x 4, then 2 x 1 on the way in.
  auto h = torch::linear(state.flatten(1), p["expand.weight"], p["expand.bias"]).view({2, 256, 2, 1});
  const auto normed = [&](const torch::Tensor& x, const std::string& name) {
    return torch::relu(torch::batch_norm(x, p[name + ".weight"], p[name + ".bias"], b[name + ".running_mean"],
                                         b[name + ".running_var"], false, 0.1, 1e-5, false));
  };
  h = normed(torch::conv_transpose2d(h, p["decoder.0.weight"], p["decoder.0.bias"], 2, 0,
                                     /*output_padding=*/std::vector<int64_t>{1, 1}),
             "decoder.1");
  ASSERT_EQ(h.sizes(), (torch::IntArrayRef{2, 128, 6, 4}));
  h = normed(torch::conv_transpose2d(h, p["decoder.4.weight"], p["decoder.4.bias"], 2, 1,
                                     /*output_padding=*/std::vector<int64_t>{1, 0}),
             "decoder.5");
  const auto logits = torch::conv2d(h, p["decoder.8.weight"], p["decoder.8.bias"], 1, 1);
  ASSERT_EQ(logits.sizes(), (torch::IntArrayRef{2, 6, 12, 7}));
  EXPECT_TRUE(
      torch::allclose(model.decode(state), logits.permute({0, 2, 3, 1}).reshape({2, 84, 6}), 1e-3, 1e-4));
}

TEST(GridVae, FrozenDecoderPassesTheGradientToTheState) {
  torch::manual_seed(4);
  GridVae model(kGrid, 32, 1e-5);
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

TEST(EncodingMemo, WideElementsAreToldApartByAllTheirBytes) {
  EncodingMemo memo(1, [](const torch::Tensor& o) { return o.to(torch::kFloat); });
  for (const auto& o :
       {torch::tensor({{1}, {257}, {513}}, torch::kShort), torch::tensor({{1}, {769}, {257}}, torch::kShort)})
    EXPECT_TRUE(torch::equal(memo(o), o.to(torch::kFloat)));
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

TEST(ResidualVae, HasTheReleasedShape) {
  const ResidualVae model(kImage, 256, 1e-4);
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
}

TEST(ResidualVae, EncodesToTheMeanAndDecodesToPixelsInTheirPlaces) {
  torch::manual_seed(5);
  ResidualVae model(kImage, 8, 1e-4);
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

TEST(ResidualVae, ReadsOtherSidesAndChannels) {
  torch::manual_seed(5);
  const Space grey{.kind = Kind::pixels, .layout = Layout::image, .shape = {48, 48, 1}};
  ResidualVae model(grey, 8, 1e-4);
  EXPECT_EQ(model.named_parameters()["mean.weight"].size(1), 512 * 6 * 6);
  EXPECT_EQ(model.named_parameters()["encoder.0.weight"].size(1), 1);
  model.freeze();
  const auto images = torch::randint(0, 256, {2, grey.size()}, torch::kUInt8);
  const auto states = model.encode(images);
  EXPECT_EQ(states.sizes(), (torch::IntArrayRef{2, 1, 8}));
  EXPECT_EQ(model.decode(states).sizes(), (torch::IntArrayRef{2, 48 * 48}));
  const Space wide{.kind = Kind::pixels, .layout = Layout::image, .shape = {16, 24, 4}};
  ResidualVae other(wide, 4, 1e-4);
  other.freeze();
  EXPECT_EQ(other.decode(other.encode(torch::zeros({1, wide.size()}, torch::kUInt8))).size(1), wide.size());
}

TEST(ResidualVae, PassesTheGradientToTheStateWhenFrozen) {
  torch::manual_seed(6);
  ResidualVae model(kImage, 8, 1e-4);
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
  ResidualVae model(kImage, 8, 1e-4);
  const auto colours = torch::randint(200, 256, {4, 1, 3}, torch::kUInt8);
  const auto images = colours.expand({4, 1024, 3}).reshape({4, -1});  // one colour each; grey would leave 0.4
  pretrain(model, images, {.steps = 10, .batch = 4, .rate = 1e-3}, 1);
  model.train();  // ten steps are too few for the running statistics of BatchNorm
  EXPECT_LT(model.pretraining_loss(images).item<double>(), 0.2);
}

}  // namespace
}  // namespace neo
