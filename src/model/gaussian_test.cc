#include "model/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/testing.h"
#include "model/testing.h"
#include "model/weights.h"

namespace neo {
namespace {

QuantizerConfig gaussian(int64_t width, double beta) {
  return {.kind = "gaussian", .codes = 1, .width = width, .beta = beta};
}

NeoConfig continuous_config() {
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 10};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = {.kind = "film", .hidden = 8};
  config.quantizer = gaussian(3, 0.01);
  return config;
}

TEST(Gaussian, ItsLossIsBetaTimesTheKl) {
  Gaussian bottleneck(gaussian(2, 0.5));
  const double ln4 = std::log(4.0);
  // N(1, 1): 1/2.  N(0, 4): (4 - 1 - ln 4) / 2 = 0.8068528.  N(0, 1): nothing.
  const auto loss = bottleneck.forward(torch::tensor({{1.0, 0.0, 0.0, ln4}, {0.0, 0.0, 0.0, 0.0}})).loss;
  EXPECT_NEAR(loss[0].item<double>(), 0.5 * (0.5 + 0.8068528), 1e-6);
  EXPECT_EQ(loss[1].item<double>(), 0.0);
}

TEST(Gaussian, NoiseIsScaledBySigmaAndWithoutItTheMeanPasses) {
  Gaussian bottleneck(gaussian(2, 1.0));
  const auto action = torch::tensor({{1.0, -2.0, std::log(4.0), std::log(0.25)}});
  EXPECT_TRUE(torch::equal(bottleneck.forward(action).vectors, torch::tensor({{1.0, -2.0}})));
  const auto sampled = bottleneck.forward(action, torch::tensor({{1.0, 2.0}})).vectors;
  EXPECT_TRUE(torch::allclose(sampled, torch::tensor({{3.0, -1.0}})));
}

TEST(Gaussian, GradientReachesMeanAndVariance) {
  Gaussian bottleneck(gaussian(1, 1.0));
  auto action = torch::tensor({{0.5, std::log(4.0)}}, torch::requires_grad());
  const Latent latent = bottleneck.forward(action, torch::tensor({{3.0}}));
  (latent.vectors.sum() + latent.loss.sum()).backward();
  // Mean: 1 + mu.  Log-variance: sigma noise / 2 + (sigma^2 - 1) / 2.
  EXPECT_TRUE(torch::allclose(action.grad(), torch::tensor({{1.5, 3.0 + 1.5}})));
}

TEST(Gaussian, DrawsStandardNormalNoise) {
  RngStream random(3, "noise");
  const auto noise = Gaussian(gaussian(4, 1.0)).draw_noise(random, 10000);
  EXPECT_NEAR(noise.mean().item<double>(), 0.0, 0.02);
  EXPECT_NEAR(noise.var().item<double>(), 1.0, 0.03);
  EXPECT_NEAR((noise.abs() < 1.0).to(torch::kDouble).mean().item<double>(), 0.6827, 0.01);
}

TEST(Bottleneck, ItsFactoryNamesWhatItHas) {
  const QuantizerConfig magic{.kind = "magic"};
  EXPECT_NE(testing::error_of([&] { make_bottleneck(magic); }).find("gaussian"), std::string::npos);
}

TEST(ContinuousTheory, HasNoCodesAndSaysSo) {
  Neo model(continuous_config(), testing::number_space());
  EXPECT_FALSE(model->has_codes());
  EXPECT_NE(testing::error_of([&] { model->quantizer(); }).find("codebook"), std::string::npos);
}

TEST(ContinuousTheory, ComesBackFromItsFileWithTheSameBehaviour) {
  testing::TemporaryFolder folder;
  Neo model(continuous_config(), testing::number_space());
  model->observation().freeze();
  model->eval();
  save_theory(folder / "t.safetensors", *model, {.preset = "fast", .seed = 42, .step = 1});
  LoadedTheory loaded = load_theory(folder / "t.safetensors");
  torch::NoGradGuard no_grad;
  const auto numbers = torch::randint(0, 10, {4, 6}, torch::kUInt8);
  const auto explain = [&](NeoImpl& m) {
    const auto s = m.observation().encode(numbers);
    return m.bottleneck().forward(m.programmer().forward(s, s.flip(0))).vectors;
  };
  EXPECT_EQ(explain(*model).size(1), 3);
  EXPECT_TRUE(torch::equal(explain(*model), explain(*loaded.model)));
}

}  // namespace
}  // namespace neo
