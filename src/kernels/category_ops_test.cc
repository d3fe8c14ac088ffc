#include "kernels/category_ops.h"

#include <gtest/gtest.h>

#include <limits>

#include "kernels/testing.h"

namespace neo {
namespace {

namespace nnf = torch::nn::functional;

torch::Tensor reference_loss(const torch::Tensor& logits, const torch::Tensor& targets) {
  const auto each = nnf::cross_entropy(logits.permute({0, 2, 1}), targets.to(torch::kLong),
                                       nnf::CrossEntropyFuncOptions().reduction(torch::kNone));
  return each.mean(/*dim=*/1);
}

class CategoryOps : public EveryForm {};

TEST_P(CategoryOps, LossBestAndGradientMatchTorch) {
  torch::manual_seed(1);
  for (int64_t categories : {2, 9, 10, 32, 50, 256, 1000})
    for (int64_t positions : {1, 6, 8, 100}) {
      SCOPED_TRACE(testing::Message() << positions << " positions of " << categories);
      const auto type = categories > 256 ? torch::kShort : torch::kByte;
      auto logits = (torch::randn({70, positions, categories}) * 4).requires_grad_();
      const auto targets = torch::randint(0, categories, {70, positions}, type);
      const auto scores = category_scores(logits, targets, categories);
      const auto expected = reference_loss(logits, targets);
      EXPECT_TRUE(torch::allclose(scores.loss, expected, 1e-5, 1e-6));

      const auto best = logits.argmax(-1).to(type);
      EXPECT_EQ(scores.best.scalar_type(), type);
      EXPECT_TRUE(torch::equal(scores.best, best));
      EXPECT_TRUE(torch::allclose(scores.own, reference_loss(logits, best), 1e-5, 1e-6));
      EXPECT_FALSE(scores.own.requires_grad());
      EXPECT_TRUE(torch::equal(category_argmax(logits, categories), best));
      EXPECT_TRUE(torch::equal(scores.wrong, best.ne(targets).sum(1).to(torch::kInt)));

      const auto upstream = torch::randn({70});
      const auto gradient = torch::autograd::grad({scores.loss}, {logits}, {upstream})[0];
      EXPECT_TRUE(
          torch::allclose(gradient, torch::autograd::grad({expected}, {logits}, {upstream})[0], 1e-4, 1e-7));
    }
}

TEST_P(CategoryOps, ExtremeLogitsStayFinite) {
  const auto logits =
      torch::tensor({{{1e4f, -1e4f, 0.0f}}, {{-3e38f, -3e38f, -3e38f}}, {{88.0f, 89.0f, -200.0f}}});
  const auto targets = torch::tensor({{1}, {2}, {1}}, torch::kByte);
  const auto scores = category_scores(logits, targets, 3);
  EXPECT_TRUE(torch::allclose(scores.loss, reference_loss(logits, targets)));
}

TEST_P(CategoryOps, TheFirstOfEqualLogitsIsBest) {
  const auto logits = torch::tensor({{{1.0f, 5.0f, 5.0f}, {2.0f, 2.0f, 2.0f}}});
  EXPECT_TRUE(torch::equal(category_argmax(logits, 3), torch::tensor({{1, 0}}, torch::kByte)));
}

TEST_P(CategoryOps, NaNAndInfinityReachTheLoss) {
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
                    std::numeric_limits<float>::infinity()})
    for (int64_t category = 0; category < 3; ++category) {
      auto logits = torch::zeros({2, 9, 3});
      logits[1][8][category] = bad;
      const auto loss = category_scores(logits, torch::zeros({2, 9}, torch::kByte), 3).loss;
      EXPECT_TRUE(std::isfinite(loss[0].item<float>()));
      EXPECT_FALSE(std::isfinite(loss[1].item<float>())) << bad << " at " << category;
    }
}

TEST_P(CategoryOps, FlatLogitsAreSplitByTheNumberOfCategories) {
  for (int64_t categories : {3, 300}) {
    const auto logits = torch::randn({4, 4 * categories});
    const auto targets = torch::zeros({4, 4}, categories > 256 ? torch::kShort : torch::kByte);
    EXPECT_TRUE(torch::equal(category_scores(logits, targets, categories).loss,
                             category_scores(logits.view({4, 4, categories}), targets, categories).loss));
  }
}

TEST_P(CategoryOps, AnEmptyBatchHasNoScores) {
  for (int64_t categories : {3, 50}) {
    const auto scores =
        category_scores(torch::zeros({0, 4, categories}), torch::zeros({0, 4}, torch::kByte), categories);
    EXPECT_EQ(scores.loss.numel(), 0);
    EXPECT_EQ(scores.best.sizes(), torch::IntArrayRef({0, 4}));
  }
}

TEST_P(CategoryOps, BadTargetsAndShapesAreRefused) {
  const auto logits = torch::zeros({2, 4, 3});
  EXPECT_THROW(category_scores(logits, torch::full({2, 4}, 3, torch::kByte), 3), c10::Error);
  EXPECT_THROW(category_scores(logits, torch::zeros({2, 5}, torch::kByte), 3), c10::Error);
  EXPECT_THROW(category_scores(logits, torch::zeros({2, 4}, torch::kLong), 3), c10::Error);
  EXPECT_THROW(category_scores(logits, torch::zeros({2, 4}, torch::kByte), 5), c10::Error);
  const auto many = torch::zeros({2, 4, 50});
  EXPECT_THROW(category_scores(many, torch::full({2, 4}, 50, torch::kByte), 50), c10::Error);
  EXPECT_THROW(category_scores(many, torch::zeros({2, 5}, torch::kByte), 50), c10::Error);
}

NEO_ON_EVERY_FORM(CategoryOps);

}  // namespace
}  // namespace neo
