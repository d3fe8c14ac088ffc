#include "train/wake_sleep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/testing.h"
#include "observe/pretrain.h"
#include "observe/tensors.h"
#include "search/explanations.h"
#include "train/trainer.h"

namespace neo {
namespace {

std::vector<torch::Tensor> parts_of(const torch::nn::Module& module) {
  std::vector<torch::Tensor> all;
  for (const auto& parameter : module.parameters()) all.push_back(parameter.detach().clone());
  for (const auto& buffer : module.buffers()) all.push_back(buffer.clone());
  return all;
}

// A theory that knows four moves, and pairs that need only two of them: up and right.
struct Mover {
  Neo model = testing::grid_theory();
  AdamW optimizer{parameter_groups(*model, {}), {}};
  RngStream random{1, "test"};
  std::vector<double> usage{0.4, 0.4, 0.1, 0.1};
  WakeSleepConfig config{.depth = 3, .width = 8, .dreams = 8, .dream_length = 4, .dream_start = 0};

  StepContext at(int64_t step) { return {step, 100, &usage, &random}; }
  PairBatch batch() const {
    std::vector<Pair> pairs;
    for (int i = 0; i < 12; ++i) {
      const int up = i % 3, right = i % 4;
      const int row = 4 + i % 5, column = 2 + i % 3;
      if (up + right == 0 || up + right > 3) continue;
      pairs.push_back({testing::grid_with(row, column), testing::grid_with(row - up, column + right)});
    }
    const Pairs all = to_pairs("moves", testing::grid_space(), pairs);
    return {all.x, all.y};
  }
};

TEST(WakeSleep, ComputingAStepChangesNothingInTheModel) {
  Mover mover;
  mover.model->train();
  mover.model->observation().eval();
  for (int64_t wake_steps : {0, 5}) {
    mover.config.wake_steps = wake_steps;
    mover.config.prune = 0.01;
    mover.config.memory = 2;
    WakeSleepObjective objective(mover.config);
    for (int64_t step : {3, 4, 5}) {  // awake, about to fall asleep, asleep; or both at once
      const auto before = parts_of(*mover.model);
      const StepResult result = objective.compute(*mover.model, mover.batch(), mover.at(step));
      result.loss.backward();
      const auto after = parts_of(*mover.model);
      EXPECT_TRUE(
          std::ranges::equal(before, after, [](const auto& a, const auto& b) { return torch::equal(a, b); }))
          << wake_steps << " " << step;
      EXPECT_EQ(result.solved, 1.0);
    }
  }
}

TEST(WakeSleep, AtTheEndOfWakingUnneededCodesAreToRetire) {
  Mover mover;
  mover.config.wake_steps = 5;
  mover.config.prune = 0.01;
  WakeSleepObjective objective(mover.config);
  EXPECT_TRUE(objective.compute(*mover.model, mover.batch(), mover.at(3)).edits.empty());
  const std::vector<Edit> edits = objective.compute(*mover.model, mover.batch(), mover.at(4)).edits;
  ASSERT_EQ(edits.size(), 2u);
  for (const Edit& edit : edits) EXPECT_EQ(edit.kind, Edit::Kind::retire);
  EXPECT_EQ(mover.model->quantizer().active().size(), 4u);
  for (const Edit& edit : edits) {
    apply_edit(*mover.model, mover.optimizer, edit);
    objective.edited(edit);
  }
  EXPECT_EQ(mover.model->quantizer().active(), (std::vector<int64_t>{0, 1}));
  const StepResult asleep = objective.compute(*mover.model, mover.batch(), mover.at(5));
  EXPECT_TRUE(asleep.edits.empty());
  EXPECT_EQ(asleep.solved, 1.0);
  EXPECT_EQ(asleep.usage[2] + asleep.usage[3], 0);
}

TEST(WakeSleep, WhereBothGoTogetherUnneededCodesRetireBeforeTheLastQuarter) {
  Mover mover;
  mover.config.prune = 0.01;
  WakeSleepObjective objective(mover.config);
  EXPECT_TRUE(objective.compute(*mover.model, mover.batch(), mover.at(73)).edits.empty());
  EXPECT_EQ(objective.compute(*mover.model, mover.batch(), mover.at(74)).edits.size(), 2u);
}

TEST(WakeSleep, WithoutPruningNoCodeRetires) {
  Mover mover;
  mover.config.wake_steps = 5;
  WakeSleepObjective objective(mover.config);
  EXPECT_TRUE(objective.compute(*mover.model, mover.batch(), mover.at(4)).edits.empty());
}

TEST(WakeSleep, AwakeItTeachesTheExecutorAsleepTheProgrammer) {
  Mover mover;
  mover.config.wake_steps = 5;
  WakeSleepObjective objective(mover.config);
  const auto reaches = [&](torch::nn::Module& module) {
    double total = 0;
    for (const auto& parameter : module.parameters())
      if (parameter.grad().defined()) total += parameter.grad().abs().sum().item<double>();
    return total > 0;
  };
  for (int64_t step : {0, 5}) {
    mover.optimizer.zero_grad();
    objective.compute(*mover.model, mover.batch(), mover.at(step)).loss.backward();
    EXPECT_EQ(reaches(mover.model->executor()), step == 0);
    EXPECT_EQ(reaches(mover.model->programmer()), step == 5);
  }
}

TEST(WakeSleep, WhatAReinitialisedCodeMeantIsForgotten) {
  Mover mover;
  mover.config.memory = 3;
  WakeSleepObjective objective(mover.config);
  const auto remembered = [&] {
    std::map<std::string, TensorData> kept;
    objective.save(kept);
    return kept.size();
  };
  for (int64_t step = 0; step < 5; ++step) objective.compute(*mover.model, mover.batch(), mover.at(step));
  EXPECT_EQ(remembered(), 3u * 4u);
  objective.edited({.kind = Edit::Kind::retire, .code = 3});
  EXPECT_EQ(remembered(), 3u * 4u);
  objective.edited({.kind = Edit::Kind::reinitialise, .code = 3, .vector = torch::ones({4})});
  EXPECT_EQ(remembered(), 0u);
}

TEST(Edits, AReinitialisedCodeStandsWhereItWasPutAndItsMomentsAreGone) {
  Mover mover;
  for (int i = 0; i < 3; ++i) {
    mover.optimizer.zero_grad();
    (mover.model->quantizer().vectors(torch::arange(4)) * torch::randn({4, 4})).sum().backward();
    mover.optimizer.step(1.0);
  }
  const auto before = mover.model->quantizer().vectors(torch::arange(4)).detach().clone();
  const auto vector = torch::tensor({0.0, 3.0, 4.0, 0.0});
  apply_edit(*mover.model, mover.optimizer, {.kind = Edit::Kind::reinitialise, .code = 2, .vector = vector});
  const auto after = mover.model->quantizer().vectors(torch::arange(4)).detach();
  EXPECT_TRUE(torch::allclose(after[2], vector / 5, 1e-4, 1e-5));
  for (int64_t z : {0, 1, 3}) EXPECT_TRUE(torch::equal(after[z], before[z]));
  std::map<std::string, TensorData> kept;
  mover.optimizer.save(kept);
  int64_t moments = 0;
  for (const auto& [name, data] : kept) {
    if (name.find("quantizer.codebook") == std::string::npos) continue;
    const auto moment = to_tensor(data);
    EXPECT_EQ(moment[2].abs().sum().item<float>(), 0) << name;
    EXPECT_GT(moment[1].abs().sum().item<float>(), 0) << name;
    ++moments;
  }
  EXPECT_EQ(moments, 2);
}

const Space kSmallGrid{.layout = Layout::grid, .shape = {5, 5}, .values = {3}};

// Two cells of 5x5 move right and down, up to two steps in all, and nothing leaves the grid.
Pairs small_moves(int64_t count, uint64_t seed) {
  RngStream random(seed, "small moves");
  std::vector<Pair> pairs;
  while (static_cast<int64_t>(pairs.size()) < count) {
    const auto right = random.below(3), down = random.below(3);
    if (right + down == 0 || right + down > 2) continue;
    Pair pair{Observation(25, 0), Observation(25, 0)};
    for (int i = 0; i < 2; ++i) {
      const auto row = random.below(3), column = random.below(3);
      const auto colour = static_cast<uint8_t>(1 + random.below(2));
      pair.x[row * 5 + column] = pair.y[(row + down) * 5 + column + right] = colour;
    }
    pairs.push_back(std::move(pair));
  }
  return to_pairs("small moves", kSmallGrid, pairs);
}

TEST(WakeSleep, LearnsTheTwoMovesOfASmallGridFromPairsAlone) {
  const int threads = torch::get_num_threads();
  torch::set_num_threads(1);
  TrainRequest request;
  request.seed = 1;
  TrainConfig& c = request.config;
  c.objective = "wake-sleep";
  c.batch = 64;
  c.steps = 300;
  c.model.observation = {.kind = "tokens", .width = 8};
  c.model.programmer = {.kind = "projections", .hidden = 32, .layers = 1, .features = 8};
  c.model.executor = {.kind = "local", .hidden = 8};
  c.model.quantizer = {.codes = 4, .width = 8};
  c.wake_sleep = {.grounding = 0.5,
                  .lambda = 0.95,
                  .depth = 2,
                  .width = 4,
                  .programmer_weight = 0.2,
                  .dreams = 32,
                  .dream_length = 3,
                  .dream_start = 20};
  c.optimizer = {.rate = 1e-2, .programmer_scale = 1.0, .codebook_scale = 0.1, .warmup = 0.02, .floor = 0.05};
  request.prepare_observation = [](ObservationModel& model) {
    pretrain(model, torch::randint(0, 3, {256, 25}, torch::kUInt8), {.steps = 100, .batch = 16, .rate = 2e-2},
             1);
  };
  Training training(request, small_moves(512, 1));
  while (training.step() < training.total_steps()) training.advance();
  training.model().eval();
  const Pairs unseen = small_moves(200, 2);
  const auto solved = [&](const char* search) {
    const Policy policy{.steps = 4, .search = search, .width = 4};
    return explain_pairs(training.model(), unseen.x, unseen.y, policy)
        .exact.to(torch::kDouble)
        .mean()
        .item<double>();
  };
  EXPECT_GT(solved("beam"), 0.95);    // what the executor has learned
  EXPECT_GT(solved("greedy"), 0.95);  // and the programmer
  torch::set_num_threads(threads);
}

}  // namespace
}  // namespace neo
