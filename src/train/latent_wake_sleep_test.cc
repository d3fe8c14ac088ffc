#include "train/latent_wake_sleep.h"

#include <gtest/gtest.h>

#include <numeric>

#include "model/weights.h"
#include "train/trainer.h"

namespace neo {
namespace {

constexpr int64_t kWidth = 8, kEpisodes = 64;

// Images of which only the first eight values are looked at: an untrained linear model keeps just those.
TrainConfig toy_config() {
  TrainConfig c;
  c.world = "imaging";
  c.model.observation = {.kind = "linear", .tokens = 1, .width = kWidth};
  c.model.programmer = {.kind = "mlp", .hidden = 32, .layers = 2};
  c.model.executor = {.kind = "bilinear"};
  c.model.quantizer.codes = c.model.quantizer.width = 4;
  c.model.quantizer.initial = "orthogonal";
  c.objective.kind = "latent-wake-sleep";
  c.objective.price = 0.1;
  c.objective.coarse = kWidth;
  c.objective.coarse_share = 0.7;
  c.objective.split_every = 20;
  c.objective.wake_steps = 240;
  c.objective.dream_length = 3;
  c.optimizer = {.rate = 2e-2, .programmer_scale = 0.2, .codebook_scale = 0.0, .decay = 0.0, .clip = 0.0};
  return c;
}

// Turning the eight values round, darkening them, or both; each episode hides one of the three.
PairBatch toy_batch() {
  auto x = torch::randint(0, 256, {2 * kEpisodes, 3072}, torch::kUInt8);
  const auto program = torch::randint(0, 3, {kEpisodes}).repeat_interleave(2).unsqueeze(1);
  auto y = x.clone();
  auto part = x.narrow(1, 0, kWidth);
  part = torch::where(program != 1, part.flip(1), part);
  part = torch::where(program != 0, part.div(2, "floor"), part);
  y.narrow(1, 0, kWidth).copy_(part);
  return {x, y};
}

struct Toy {
  TrainConfig config = toy_config();
  Neo model{config.model, imaging()};
  LatentWakeSleepObjective objective{config.objective};
  AdamW optimizer{parameter_groups(*model, config.optimizer), {.decay = 0.0, .clip = 0.0}};
  RngStream random{1, "test"};
  std::vector<double> usage = std::vector<double>(4, 0.25);

  Toy() { model->observation().freeze(); }
  StepResult step(int64_t i, const PairBatch& batch) {
    optimizer.zero_grad();
    StepResult result = objective.compute(*model, batch, {i, 0.1, 1.0, &usage, &random});
    if (result.loss.requires_grad()) result.loss.backward();
    optimizer.step(1.0);
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
  EXPECT_EQ(sum(toy.step(0, toy_batch()).lengths), 2 * kEpisodes);
  EXPECT_EQ(sum(toy.step(toy.config.objective.wake_steps, toy_batch()).lengths), kEpisodes);
}

TEST(LatentWakeSleep, FindsTwoOperationsAndNamesThem) {
  torch::manual_seed(1);
  Toy toy;
  StepResult last;
  for (int64_t i = 0; i < 240; ++i) last = toy.step(i, toy_batch());
  EXPECT_GT(last.solved, 0.95);
  double first_naming = 0;
  for (int64_t i = 240; i < 400; ++i) {
    last = toy.step(i, toy_batch());
    if (i == 240) first_naming = last.losses["naming"];
  }
  EXPECT_LT(last.losses["naming"], 0.6 * first_naming);
}

TEST(LatentWakeSleep, SleepLeavesTheExecutorAlone) {
  torch::manual_seed(1);
  Toy toy;
  const auto before = toy.model->executor().parameters()[0].clone();
  toy.step(toy.config.objective.wake_steps, toy_batch());
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

TEST(LatentWakeSleep, AnExecutorWithoutLinearMapsIsRefused) {
  Toy toy;
  toy.config.model.executor.kind = "film";
  toy.model = Neo(toy.config.model, imaging());
  EXPECT_THROW(toy.objective.compute(*toy.model, toy_batch(), {230, 0.1, 1.0, &toy.usage, &toy.random}),
               std::exception);
}

}  // namespace
}  // namespace neo
