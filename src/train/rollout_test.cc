// The paper's objective against a plain implementation, and tiny models of the paper's kinds that learn by
// it.
#include <gtest/gtest.h>

#include <cmath>

#include "model/testing.h"
#include "observe/pretrain.h"
#include "train/objective.h"
#include "train/trainer.h"

namespace neo {
namespace {

// Pairs of six digits: the first half of a batch goes up by one everywhere, the second by two.
PairBatch up_by_one_or_two(int64_t rows, uint64_t seed) {
  RngStream random(seed, "digits");
  PairBatch batch{torch::empty({rows, 6}, torch::kUInt8), torch::empty({rows, 6}, torch::kUInt8)};
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < 6; ++i) {
      const auto digit = static_cast<int64_t>(random.below(10));
      batch.x[row][i] = digit;
      batch.y[row][i] = (digit + (2 * row < rows ? 1 : 2)) % 10;
    }
  }
  return batch;
}

Neo small_theory(const std::string& programmer) {
  torch::manual_seed(3);
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 10};
  config.programmer = {.kind = programmer, .hidden = 12, .layers = 3};
  config.executor = {.kind = "film", .hidden = 12};
  config.quantizer = {.codes = 5, .width = 6};
  Neo model(config, testing::number_space());
  model->train();
  model->observation().freeze();
  return model;
}

struct Plain {
  torch::Tensor loss;
  std::vector<int64_t> lengths;
};

// Algorithm 1, row by row and step by step.
Plain plain_loss(NeoImpl& model, const PairBatch& batch, const RolloutConfig& config) {
  auto& observation = model.observation();
  const Readout readout = observation.readout();
  const int64_t rows = batch.x.size(0);
  Plain plain{torch::zeros({}), {}};
  auto grounding_of_steps = torch::zeros({}), grounding_of_lengths = torch::zeros({}),
       selected = torch::zeros({});
  double steps_selected = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const auto x = batch.x.narrow(0, row, 1), y = batch.y.narrow(0, row, 1);
    const auto target = observation.encode(y);
    auto state = observation.encode(x);
    std::vector<torch::Tensor> losses, vq, states, distances;
    int64_t first_exact = 0;
    for (int64_t k = 0; k < config.steps; ++k) {
      const Latent latent = model.bottleneck().forward(model.programmer().forward(state.detach(), target));
      state = model.executor().forward(state, latent.vectors);
      const auto prediction = observation.decode(state);
      const auto hard = readout.harden(prediction);
      states.push_back(state);
      losses.push_back(readout.loss(prediction, y)[0]);
      vq.push_back(latent.loss[0]);
      distances.push_back((state - observation.encode(hard).detach()).square().mean());
      if (first_exact == 0 && torch::equal(hard, y)) first_exact = k + 1;
    }
    int64_t length = 1;
    double least = INFINITY;
    for (int64_t k = 1; k <= config.steps; ++k) {
      const double weighted = std::pow(config.lambda_start, static_cast<double>(k)) *
                              losses[static_cast<size_t>(k - 1)].item<double>();
      if (weighted < least) {
        least = weighted;
        length = k;
      }
    }
    if (first_exact > 0) length = first_exact;
    plain.lengths.push_back(length);
    const auto at = static_cast<size_t>(length - 1);
    const auto n = static_cast<double>(rows);
    plain.loss = plain.loss + config.reconstruction * losses[at] / n + config.vq * vq[at] / n +
                 config.state * (states[at] - target).square().mean() / n;
    for (size_t k = 0; k < distances.size(); ++k) {
      grounding_of_steps = grounding_of_steps + distances[k] / n;
      grounding_of_lengths = grounding_of_lengths + distances[k] / static_cast<double>(length) / n;
      if (k <= at) selected = selected + distances[k];
    }
    steps_selected += static_cast<double>(length);
  }
  const auto grounding = config.grounding_mean == "steps"    ? grounding_of_steps
                         : config.grounding_mean == "length" ? grounding_of_lengths
                                                             : selected / steps_selected;
  plain.loss = plain.loss + config.grounding * grounding;
  return plain;
}

std::vector<torch::Tensor> gradients(NeoImpl& model, const torch::Tensor& loss) {
  model.zero_grad();
  loss.backward();
  std::vector<torch::Tensor> all;
  for (const auto& p : model.parameters())
    all.push_back(p.grad().defined() ? p.grad().clone() : torch::zeros_like(p));
  return all;
}

TEST(RolloutObjective, HasTheLossAndTheGradientsOfAPlainImplementation) {
  for (const std::string mean : {"steps", "length", "selected"}) {
    for (const double lambda : {0.6, 1.0, 1.3}) {
      SCOPED_TRACE(mean + " " + std::to_string(lambda));
      Neo model = small_theory("mlp");
      const PairBatch batch = up_by_one_or_two(14, 1);
      const RolloutConfig config{.steps = 3,
                                 .reconstruction = 0.9,
                                 .vq = 0.7,
                                 .grounding = 0.4,
                                 .state = 0.3,
                                 .grounding_mean = mean,
                                 .choice = "nearest",
                                 .lambda_start = lambda,
                                 .lambda_end = lambda};
      RngStream random(1, "unused");
      const std::vector<double> usage(5, 0.0);
      RolloutObjective objective(config);
      const StepResult result = objective.compute(*model, batch, {0, 10, &usage, &random});
      const Plain plain = plain_loss(*model, batch, config);
      std::vector<int64_t> histogram(3, 0);
      for (int64_t length : plain.lengths) ++histogram[static_cast<size_t>(length - 1)];
      EXPECT_EQ(result.lengths, histogram);
      EXPECT_NEAR(result.loss.item<double>(), plain.loss.item<double>(), 1e-5);
      const auto ours = gradients(*model, result.loss), theirs = gradients(*model, plain.loss);
      double largest = 0;
      for (size_t i = 0; i < ours.size(); ++i) {
        EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-3, 1e-6)) << i;
        largest = std::max(largest, theirs[i].abs().max().item<double>());
      }
      EXPECT_GT(largest, 1e-4);
    }
  }
}

TEST(RolloutObjective, GroundingTeachesTheExecutorAndNotTheObservationModel) {
  Neo model = small_theory("mlp");
  RngStream random(1, "unused");
  const std::vector<double> usage(5, 0.0);
  RolloutObjective objective({.steps = 1, .reconstruction = 0, .vq = 0, .grounding = 1, .choice = "nearest"});
  objective.compute(*model, up_by_one_or_two(8, 2), {0, 10, &usage, &random}).loss.backward();
  double executor = 0;
  for (const auto& p : model->executor().parameters()) executor += p.grad().abs().sum().item<double>();
  EXPECT_GT(executor, 0.0);
  for (const auto& p : model->observation().parameters()) EXPECT_FALSE(p.grad().defined());
}

// Trains a model by the paper's objective; the losses of the first and of the last step.
struct Losses {
  double first = 0, last = 0;
};
Losses train_for(Neo& model, const PairBatch& batch, const RolloutConfig& config, int64_t steps, double rate,
                 const std::string& loss) {
  model->train();
  model->observation().eval();
  RolloutObjective objective(config);
  AdamW optimizer(parameter_groups(*model, {.rate = rate, .programmer_scale = 1.0}), {});
  RngStream random(1, "toy");
  const std::vector<double> usage(static_cast<size_t>(model->config().quantizer.codes), 0.0);
  Losses progress;
  for (int64_t step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const StepResult result = objective.compute(*model, batch, {step, steps, &usage, &random});
    result.loss.backward();
    optimizer.step(1.0);
    model->bottleneck().commit();
    progress.last = result.losses.at(loss);
    if (step == 0) progress.first = progress.last;
  }
  return progress;
}

TEST(PaperModels, GridWorldsKindLearnsMovesOfOneCell) {
  NeoConfig config;
  config.observation = {.kind = "grid-vae", .width = 32, .beta = 1e-5};
  config.programmer = {.kind = "mlp", .hidden = 32, .layers = 2};
  config.executor = {.kind = "film", .hidden = 32};
  config.quantizer = {.codes = 4, .width = 8};
  torch::manual_seed(2);
  Neo model(config, testing::grid_space());
  std::vector<Pair> pairs;
  for (int i = 0; i < 24; ++i) {
    const int row = 2 + i % 6, column = 2 + i / 6;
    pairs.push_back({testing::grid_with(row, column), testing::grid_with(row + (i % 2 ? 1 : -1), column)});
  }
  const Pairs all = to_pairs("moves", testing::grid_space(), pairs);
  pretrain(model->observation(), torch::cat({all.x, all.y}), {.steps = 400, .batch = 24}, 1);
  const Losses progress = train_for(model, {all.x, all.y}, {.steps = 1}, 200, 3e-3, "reconstruction");
  EXPECT_LT(progress.last, 0.6 * progress.first);
}

TEST(PaperModels, ArithmeticsKindLearnsTwoOperations) {
  NeoConfig config;
  config.observation = {.kind = "digits", .width = 8};
  config.programmer = {.kind = "transformer", .hidden = 16, .layers = 1, .heads = 2, .feedforward = 32};
  config.executor = {.kind = "attention", .hidden = 16, .layers = 1, .heads = 2, .feedforward = 32};
  config.quantizer = {.codes = 4, .width = 4, .codebook = "ema", .commit = "call"};
  torch::manual_seed(2);
  Neo model(config, testing::number_space());
  const PairBatch batch = up_by_one_or_two(64, 5);
  pretrain(model->observation(), batch.x, {.steps = 200, .batch = 64, .rate = 2e-2}, 1);
  const Losses progress =
      train_for(model, batch, {.steps = 2, .grounding_mean = "length"}, 120, 1e-2, "reconstruction");
  EXPECT_LT(progress.last, 0.6 * progress.first);
}

}  // namespace
}  // namespace neo
