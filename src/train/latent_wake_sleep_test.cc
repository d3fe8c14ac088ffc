#include "train/latent_wake_sleep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/testing.h"
#include "model/weights.h"
#include "train/code_maps.h"
#include "train/trainer.h"

namespace neo {
namespace {

constexpr int64_t kWidth = 8, kPairs = 128;

// Images of which only the first eight values are looked at: an untrained linear model keeps just those.
TrainConfig toy_config() {
  TrainConfig c;
  c.model.observation = {.kind = "linear", .width = kWidth};
  c.model.programmer = {.kind = "mlp", .hidden = 32, .layers = 2};
  c.model.executor = {.kind = "bilinear"};
  c.model.quantizer.codes = c.model.quantizer.width = 4;
  c.model.quantizer.initial = "orthogonal";
  c.objective = "latent-wake-sleep";
  c.latent_wake_sleep = {.price = {.code = 0.1},
                         .wake_steps = 240,
                         .coarse_dims = kWidth,
                         .coarse_share = 0.7,
                         .split_every = 20,
                         .dream_length = 3};
  c.optimizer = {.rate = 2e-2, .programmer_scale = 0.2, .codebook_scale = 0.0, .decay = 0.0, .clip = 0.0};
  return c;
}

// Turning the eight values round, darkening them, or both; each pair hides one of the three.
PairBatch toy_batch() {
  auto x = torch::randint(0, 256, {kPairs, 3072}, torch::kUInt8);
  const auto program = torch::randint(0, 3, {kPairs, 1});
  auto y = x.clone();
  auto part = x.narrow(1, 0, kWidth);
  part = torch::where(program != 1, part.flip(1), part);
  part = torch::where(program != 0, part.div(2, "floor"), part);
  y.narrow(1, 0, kWidth).copy_(part);
  return {x, y};
}

// All parameters and buffers, as they are now.
std::vector<torch::Tensor> tensors_of(const torch::nn::Module& module) {
  std::vector<torch::Tensor> all;
  for (const auto& parameter : module.parameters()) all.push_back(parameter.detach().clone());
  for (const auto& buffer : module.buffers()) all.push_back(buffer.clone());
  return all;
}

bool are_equal(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  return std::ranges::equal(a, b,
                            [](const auto& one, const auto& other) { return torch::equal(one, other); });
}

struct Toy {
  TrainConfig config = toy_config();
  Neo model{config.model, testing::image_space()};
  LatentWakeSleepObjective objective{config.latent_wake_sleep};
  AdamW optimizer{parameter_groups(*model, config.optimizer), {.decay = 0.0, .clip = 0.0}};
  RngStream random{1, "test"};
  std::vector<double> usage = std::vector<double>(4, 0.25);

  Toy() { model->observation().freeze(); }
  explicit Toy(const LatentWakeSleepConfig& c) : Toy() { objective = LatentWakeSleepObjective(c); }
  StepContext at(int64_t i) { return {i, 400, &usage, &random}; }
  void apply(const std::vector<Edit>& edits) {
    for (const Edit& edit : edits) {
      apply_edit(*model, optimizer, edit);
      objective.edited(edit);
    }
  }
  // What every code does: [Z, D, D], [Z, D].
  BilinearExecutor::Affine maps() {
    torch::NoGradGuard no_grad;
    return linear_executor(*model).affine(model->quantizer().vectors(torch::arange(4)), kWidth);
  }
  StepResult step(int64_t i, const PairBatch& batch) {
    optimizer.zero_grad();
    StepResult result = objective.compute(*model, batch, at(i));
    if (result.loss.requires_grad()) result.loss.backward();
    optimizer.step(1.0);
    apply(result.edits);
    double total = 0;
    for (int64_t count : result.usage) total += static_cast<double>(count);
    for (size_t z = 0; z < usage.size(); ++z)
      usage[z] = 0.9 * usage[z] + 0.1 * static_cast<double>(result.usage[z]) / total;
    return result;
  }
};

TEST(LatentWakeSleep, AsleepOnlyHalfOfTheRowsAreExplained) {
  Toy toy;
  const auto sum = [](const std::vector<int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), int64_t{0});
  };
  EXPECT_EQ(sum(toy.step(0, toy_batch()).lengths), kPairs);
  EXPECT_EQ(sum(toy.step(toy.config.latent_wake_sleep.wake_steps, toy_batch()).lengths), kPairs / 2);
}

TEST(LatentWakeSleep, FindsTwoOperationsAndNamesThem) {
  torch::manual_seed(1);
  Toy toy;
  StepResult last;
  for (int64_t i = 0; i < 240; ++i) last = toy.step(i, toy_batch());
  EXPECT_GT(last.solved, 0.95);
  double first_loss = 0;
  for (int64_t i = 240; i < 400; ++i) {
    last = toy.step(i, toy_batch());
    if (i == 240) first_loss = last.losses["programmer"];
  }
  EXPECT_LT(last.losses["programmer"], 0.6 * first_loss);
}

TEST(LatentWakeSleep, SleepLeavesTheExecutorAlone) {
  torch::manual_seed(1);
  Toy toy;
  const auto before = toy.model->executor().parameters()[0].clone();
  toy.step(toy.config.latent_wake_sleep.wake_steps, toy_batch());
  EXPECT_TRUE(torch::equal(before, toy.model->executor().parameters()[0]));
}

TEST(LatentWakeSleep, WhatItKnowsOfTheMapsSurvivesACheckpoint) {
  torch::manual_seed(1);
  Toy toy;
  const int64_t fine = 230;  // least squares, and a step at which the maps are solved for
  toy.step(fine - 1, toy_batch());
  std::map<std::string, TensorData> kept;
  toy.objective.save(kept);
  put_tensors(*toy.model, "model.", kept);
  Toy other;
  take_tensors(*other.model, "model.", kept, "test");
  other.objective.load(kept);
  const PairBatch batch = toy_batch();
  EXPECT_EQ(toy.step(fine, batch).losses, other.step(fine, batch).losses);
  EXPECT_TRUE(torch::equal(toy.model->executor().parameters()[0], other.model->executor().parameters()[0]));
}

TEST(LatentWakeSleep, ComputingAStepChangesNothingInTheModel) {
  torch::manual_seed(1);
  LatentWakeSleepConfig config = toy_config().latent_wake_sleep;
  config.price.balance_steps = 0;  // so that codes may split early
  Toy toy(config);
  for (int64_t step : {20, 230, 240}) {  // a split, least squares, asleep
    const auto before = tensors_of(*toy.model);
    const StepResult result = toy.objective.compute(*toy.model, toy_batch(), toy.at(step));
    EXPECT_TRUE(are_equal(before, tensors_of(*toy.model))) << step;
    EXPECT_EQ(result.edits.size(), step == 20 ? 1u : step == 230 ? 4u : 0u);
  }
}

TEST(LatentWakeSleep, ASplitGivesTheLeastUsedCodeNearlyTheMapOfAnother) {
  torch::manual_seed(1);
  LatentWakeSleepConfig config = toy_config().latent_wake_sleep;
  config.price.balance_steps = 0;
  Toy toy(config);
  toy.usage = {0.4, 0.3, 0.1, 0.2};
  EXPECT_TRUE(toy.objective.compute(*toy.model, toy_batch(), toy.at(21)).edits.empty());
  const std::vector<Edit> edits = toy.objective.compute(*toy.model, toy_batch(), toy.at(20)).edits;
  ASSERT_EQ(edits.size(), 1u);
  ASSERT_EQ(edits[0].kind, Edit::Kind::set_map);
  EXPECT_EQ(edits[0].code, 2);
  const auto before = toy.maps();
  const auto apart = (before.map - edits[0].map).abs().amax({1, 2});  // from the map of each code
  const double noise = 0.3 * std::sqrt(3.0 / kWidth);
  EXPECT_LE(apart.min().item<double>(), noise);
  EXPECT_GT(apart.min().item<double>(), 0.0);
  toy.apply(edits);
  const auto after = toy.maps();
  EXPECT_TRUE(torch::allclose(after.map[2], edits[0].map, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(after.offset[2], edits[0].offset, 1e-4, 1e-5));
  for (int64_t z : {0, 1, 3}) {
    EXPECT_TRUE(torch::allclose(after.map[z], before.map[z], 1e-4, 1e-5)) << z;
    EXPECT_TRUE(torch::allclose(after.offset[z], before.offset[z], 1e-4, 1e-5)) << z;
  }
}

// The only code in use turns the values round already, so every pair is explained by it alone.
TEST(LatentWakeSleep, LeastSquaresAskForTheBestMapAndLeaveRetiredCodesAlone) {
  torch::manual_seed(1);
  Toy toy;
  for (int64_t code : {0, 2, 3}) toy.apply({{.kind = Edit::Kind::retire, .code = code}});
  const auto turned = torch::eye(kWidth).flip(1) - torch::eye(kWidth);
  toy.apply({{.kind = Edit::Kind::set_map, .code = 1, .map = turned, .offset = torch::zeros({kWidth})}});
  auto x = torch::randint(0, 256, {kPairs, 3072}, torch::kUInt8);
  auto y = x.clone();
  y.narrow(1, 0, kWidth).copy_(x.narrow(1, 0, kWidth).flip(1));
  const std::vector<Edit> edits = toy.objective.compute(*toy.model, {x, y}, toy.at(230)).edits;
  ASSERT_EQ(edits.size(), 1u);
  ASSERT_EQ(edits[0].code, 1);
  const auto from = toy.model->observation().encode(x).squeeze(1),
             to = toy.model->observation().encode(y).squeeze(1);
  const auto sides = torch::constant_pad_nd(from, {0, 1}, 1.0);
  const auto best = torch::linalg_solve(sides.t().matmul(sides) + torch::eye(kWidth + 1),
                                        sides.t().matmul(to - from), /*left=*/true);
  EXPECT_TRUE(torch::allclose(edits[0].map, best.narrow(0, 0, kWidth), 1e-3, 1e-4));
  EXPECT_TRUE(torch::allclose(edits[0].offset, best[kWidth], 1e-3, 1e-4));
  const auto before = toy.maps();
  toy.apply(edits);
  const auto after = toy.maps();
  EXPECT_TRUE(torch::allclose(after.map[1], edits[0].map, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(after.offset[1], edits[0].offset, 1e-4, 1e-5));
  for (int64_t z : {0, 2, 3}) EXPECT_TRUE(torch::allclose(after.map[z], before.map[z], 1e-4, 1e-5)) << z;
}

TEST(LatentWakeSleep, PairsOfAGroupShareTheirProgram) {
  torch::manual_seed(2);
  Toy toy;
  PairBatch batch = toy_batch();
  const StepResult apart = toy.objective.compute(*toy.model, batch, toy.at(0));
  batch.group = torch::arange(kPairs);  // each a group of its own: as without
  EXPECT_EQ(toy.objective.compute(*toy.model, batch, toy.at(0)).usage, apart.usage);
  batch.group = torch::zeros({kPairs}, torch::kLong);  // all one group
  const StepResult together = toy.objective.compute(*toy.model, batch, toy.at(0));
  EXPECT_EQ(std::ranges::count(together.lengths, kPairs), 1);
  EXPECT_GE(together.losses.at("log_residual"), apart.losses.at("log_residual"));
}

TEST(LatentWakeSleep, AnExecutorWithoutLinearMapsIsRefused) {
  Toy toy;
  toy.config.model.executor.kind = "film";
  toy.model = Neo(toy.config.model, testing::image_space());
  EXPECT_THROW(toy.objective.compute(*toy.model, toy_batch(), toy.at(230)), std::exception);
}

}  // namespace
}  // namespace neo
