#include <gtest/gtest.h>

#include "model/testing.h"
#include "rollout/rollout.h"
#include "train/objective.h"
#include "train/presets.h"
#include "train/trainer.h"

namespace neo {
namespace {

TEST(Methods, EveryTrainedMethodHasItsSettingsInEveryBenchmarkAndPreset) {
  for (const std::string family : {"gridworld", "arithmetic", "imaging"}) {
    for (const std::string preset : {"fast", "paper"}) {
      for (const std::string method : {"neo", "disc-mono", "cont-mono"}) {
        EXPECT_EQ(load_preset(family, preset_of_method(preset, method), /*alpha=*/0.33).method, method)
            << family << " " << preset;
      }
    }
  }
}

TEST(Methods, MonolithicOnesRunOneStepOfThePapersSize) {
  const std::map<std::string, int64_t> codes{{"gridworld", 36}, {"arithmetic", 40}, {"imaging", 64}};
  for (const auto& [family, count] : codes) {
    for (const std::string preset : {"fast", "paper"}) {
      const TrainConfig disc = load_preset(family, preset + "-disc-mono", 0.33);
      const TrainConfig cont = load_preset(family, preset + "-cont-mono", 0.33);
      EXPECT_EQ(disc.model.quantizer.codes, count);
      EXPECT_EQ(cont.model.quantizer.kind, "gaussian");
      for (const TrainConfig& config : {disc, cont}) {
        EXPECT_EQ(config.objective, "rollout");
        EXPECT_EQ(config.rollout.steps, 1);
        EXPECT_EQ(config.policy.steps, 1);
      }
    }
  }
}

// Two programs on six digits: all digits up by one, all down by one.
PairBatch up_or_down(RngStream& random, int64_t rows) {
  PairBatch batch{torch::empty({rows, 6}, torch::kUInt8), torch::empty({rows, 6}, torch::kUInt8)};
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < 6; ++i) {
      const auto digit = static_cast<int64_t>(random.below(10));
      batch.x[row][i] = digit;
      batch.y[row][i] = (digit + (row % 2 == 0 ? 1 : 9)) % 10;
    }
  }
  return batch;
}

// The share of pairs that a monolithic method explains after a short training.
double explained_after_training(const QuantizerConfig& quantizer) {
  torch::manual_seed(4);
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 10};
  config.programmer = {.kind = "mlp", .hidden = 64, .layers = 2};
  config.executor = {.kind = "recurrent", .hidden = 32};
  config.quantizer = quantizer;
  Neo model(config, testing::number_space());
  {
    torch::NoGradGuard no_grad;  // digits that cannot be mistaken for each other
    model->observation().named_parameters()["embedding"].copy_(torch::eye(10));
  }
  model->train();
  model->observation().freeze();
  RolloutObjective objective(
      {.steps = 1, .grounding = 0, .tau_start = 0.1, .lambda_start = 1.0, .lambda_end = 1.0});
  AdamW optimizer(parameter_groups(*model, {.rate = 5e-3, .programmer_scale = 1.0}), {});
  RngStream random(1, "toy");
  const std::vector<double> usage(static_cast<size_t>(quantizer.codes), 0.0);
  for (int64_t step = 0; step < 300; ++step) {
    optimizer.zero_grad();
    const StepResult result = objective.compute(*model, up_or_down(random, 64), {step, 300, &usage, &random});
    result.loss.backward();
    optimizer.step(1.0);
  }
  model->eval();
  const PairBatch test = up_or_down(random, 200);
  return induce(*model, test.x, test.y, {{.hard_grounding = false}, 1})
      .exact.to(torch::kDouble)
      .mean()
      .item<double>();
}

TEST(DiscMono, LearnsTwoProgramsAsTwoCodes) {
  EXPECT_GT(explained_after_training({.codes = 4, .width = 4}), 0.9);
}

TEST(ContMono, LearnsTwoProgramsAsVectors) {
  EXPECT_GT(explained_after_training({.kind = "gaussian", .codes = 1, .width = 4, .beta = 1e-3}), 0.9);
}

}  // namespace
}  // namespace neo
