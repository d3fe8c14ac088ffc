#include "search/latent_beam.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace neo {
namespace {

constexpr double kLambda = 1.0 / 0.97;  // a longer program has to be better by 3 %

torch::Tensor images(int seed) {
  torch::manual_seed(seed);
  return torch::randint(0, 256, {3, 3072}, torch::kUInt8);
}

// How far a program ends from E(y), for each row.
torch::Tensor distance(NeoImpl& model, const torch::Tensor& x, const torch::Tensor& y,
                       const std::vector<int64_t>& codes) {
  torch::NoGradGuard no_grad;
  auto state = model.observation().encode(x);
  for (int64_t code : codes) state = model.step(state, torch::full({x.size(0)}, code, torch::kLong));
  const auto weight = model.observation().spread().square();
  return ((state - model.observation().encode(y)).square() * weight).sum({1, 2});
}

TEST(LatentBeam, AWideOneFindsTheNearestProgramOfEachLength) {
  Neo model = testing::image_theory();
  const auto x = images(1), y = images(2);
  const LatentBeamResult found = latent_beam(*model, x, y, {.steps = 2, .lambda = kLambda, .width = 100});
  auto one = torch::full({3}, 1e30), two = one.clone();
  for (int64_t a = 0; a < 4; ++a) {
    one = torch::min(one, distance(*model, x, y, {a}));
    for (int64_t b = 0; b < 4; ++b) two = torch::min(two, distance(*model, x, y, {a, b}));
  }
  EXPECT_TRUE(torch::allclose(found.distances.select(1, 0), one, 1e-4));
  EXPECT_TRUE(torch::allclose(found.distances.select(1, 1), two, 1e-4));
}

TEST(LatentBeam, ItsCodesLeadToItsDistances) {
  Neo model = testing::image_theory();
  const auto x = images(1), y = images(2);
  const LatentBeamResult found = latent_beam(*model, x, y, {.steps = 3, .lambda = kLambda, .width = 5});
  for (int64_t row = 0; row < 3; ++row) {
    for (int64_t k = 0; k < 3; ++k) {
      std::vector<int64_t> codes;
      for (int64_t i = 0; i <= k; ++i) codes.push_back(found.codes[row][k][i].item<int64_t>());
      EXPECT_NEAR(distance(*model, x, y, codes)[row].item<float>(), found.distances[row][k].item<float>(),
                  1e-3f * found.distances[row][k].item<float>());
    }
  }
}

TEST(LatentBeam, ALongerProgramHasToBeBetterByLambda) {
  Neo model = testing::image_theory();
  for (double lambda : {0.5, kLambda, 1.2}) {
    const LatentBeamResult found =
        latent_beam(*model, images(1), images(2), {.steps = 3, .lambda = lambda, .fallback = "mdl", .width = 5});
    for (int64_t row = 0; row < 3; ++row) {
      double best = 1e30;
      int64_t length = 0;
      for (int64_t k = 1; k <= 3; ++k) {
        const double weighted = weighted_loss(lambda, k, found.losses[row][k - 1].item<double>());
        if (weighted >= best) continue;
        best = weighted;
        length = k;
      }
      EXPECT_EQ(found.programs.lengths[row].item<int64_t>(), length);
      EXPECT_TRUE(torch::equal(found.programs.codes[row], found.codes[row][length - 1]));
    }
  }
  const Policy dear{.steps = 3, .lambda = 100, .fallback = "mdl", .width = 5};
  EXPECT_TRUE((latent_beam(*model, images(1), images(2), dear).programs.lengths == 1).all().item<bool>());
}

TEST(LatentBeam, TheShortestProgramWithinTheToleranceWins) {
  Neo model = testing::image_theory();
  const Policy policy{.steps = 3, .lambda = 1e-3, .fallback = "mdl", .width = 5};  // else the longest wins
  const auto losses = latent_beam(*model, images(1), images(2), policy).losses;
  Policy tolerant = policy;
  tolerant.tolerance = losses.select(1, 0).max().item<double>() + 1e-3;
  const auto lengths = latent_beam(*model, images(1), images(2), tolerant).programs.lengths;
  EXPECT_TRUE((lengths == 1).all().item<bool>());
  EXPECT_TRUE((latent_beam(*model, images(1), images(2), policy).programs.lengths == 3).all().item<bool>());
}

TEST(LatentBeam, RetiredCodesAreNotTried) {
  Neo model = testing::image_theory();
  model->quantizer().retire({0, 2});
  const LatentBeamResult found =
      latent_beam(*model, images(1), images(2), {.steps = 2, .lambda = kLambda, .width = 5});
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t i = 0; i < 2; ++i) EXPECT_EQ(found.codes[row][1][i].item<int64_t>() % 2, 1);
  EXPECT_EQ(beam_calls(*model, 2, 5), 2 + 2 * 2);
}

}  // namespace
}  // namespace neo
