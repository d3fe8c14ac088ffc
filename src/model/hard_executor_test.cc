#include "model/hard_executor.h"

#include <gtest/gtest.h>

#include "model/cell_table.h"

namespace neo {
namespace {

Neo random_model(const World& world, const ExecutorConfig& executor, int64_t tokens) {
  torch::manual_seed(11);
  NeoConfig config;
  config.observation = {.kind = "tokens", .tokens = tokens, .width = 8};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = executor;
  config.quantizer = {.codes = 5, .width = 6};
  Neo model(config, world);
  model->eval();
  for (auto& parameter : model->executor().parameters()) torch::nn::init::normal_(parameter, 0, 0.5);
  model->observation().freeze();
  return model;
}
Neo grids() { return random_model(gridworld(), {.kind = "local", .hidden = 16}, 100); }
Neo numbers() {
  return random_model(arithmetic(), {.kind = "recurrent", .hidden = 24, .action_scale = 3.0}, 6);
}

Moves random_moves(const World& world, int64_t observations, int64_t moves) {
  torch::manual_seed(12);
  return {torch::randint(0, world.values(), {observations, world.size()}, torch::kUInt8),
          torch::randint(0, world.values(), {observations, world.size()}, torch::kUInt8),
          torch::randint(0, observations, {moves}),
          torch::randint(0, 5, {moves}),
          {}};
}

void expect_equal(const Reading& a, const Reading& b) {
  EXPECT_TRUE(torch::equal(a.hard, b.hard));
  EXPECT_TRUE(torch::allclose(a.loss, b.loss, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(a.own, b.own, 1e-4, 1e-4));
  EXPECT_TRUE(torch::equal(a.exact, b.exact));
}

TEST(HardExecutor, TheCellTableReadsWhatThePlainWayReads) {
  Neo model = grids();
  ASSERT_NE(CellTable::make(*model), nullptr);
  const auto executor = make_hard_executor(*model);
  for (int64_t moves : {1, 300}) {
    const Moves m = random_moves(gridworld(), 20, moves);
    expect_equal(executor->read(m), make_plain_hard_executor(*model)->read(m));
  }
}

TEST(HardExecutor, TheSuffixTableReadsWhatThePlainWayReads) {
  Neo model = numbers();
  const Moves m = random_moves(arithmetic(), 50, 3000);
  expect_equal(make_hard_executor(*model)->read(m), make_plain_hard_executor(*model)->read(m));
}

TEST(HardExecutor, CodesMayBeAColumnOfPrograms) {
  const auto programs = torch::randint(0, 5, {300, 3});
  for (Neo model : {grids(), numbers()}) {
    Moves m = random_moves(model->world(), 20, 300);
    m.codes = programs.select(1, 1);
    Moves plain = m;
    plain.codes = m.codes.contiguous();
    expect_equal(make_hard_executor(*model)->read(m), make_plain_hard_executor(*model)->read(plain));
  }
}

TEST(HardExecutor, ExactMeansEveryElement) {
  Neo model = numbers();
  Moves m = random_moves(arithmetic(), 50, 2000);
  const auto executor = make_hard_executor(*model);
  const auto hard = executor->read(m).hard;
  const auto each = torch::arange(2000);
  Moves own{m.observations.index_select(0, m.source), hard, each, m.codes, {}};
  EXPECT_TRUE(executor->read(own).exact.all().item<bool>());
  own.targets = hard.clone();
  own.targets.select(1, 5) = (own.targets.select(1, 5) + 1) % 10;
  EXPECT_FALSE(executor->read(own).exact.any().item<bool>());
}

TEST(HardExecutor, WhatIsWithinItsLimitIsNeverGivenUp) {
  Neo model = numbers();
  Moves m = random_moves(arithmetic(), 50, 3000);
  const Reading full = make_plain_hard_executor(*model)->read(m);
  m.limit = torch::full({3000}, full.loss.median().item<float>());
  const Reading limited = make_hard_executor(*model)->read(m);
  const auto within = torch::min(full.loss, full.own) <= m.limit;
  ASSERT_TRUE(within.any().item<bool>());
  EXPECT_TRUE(
      torch::allclose(limited.loss.masked_select(within), full.loss.masked_select(within), 1e-4, 1e-4));
  EXPECT_TRUE((torch::min(limited.loss, limited.own) > m.limit - 1e-4)
                  .masked_select(within.logical_not())
                  .all()
                  .item<bool>());
  m.last = true;
  const Reading last = make_hard_executor(*model)->read(m);
  const auto small = full.loss <= m.limit;
  EXPECT_TRUE(torch::allclose(last.loss.masked_select(small), full.loss.masked_select(small), 1e-4, 1e-4));
  EXPECT_TRUE((last.loss > m.limit - 1e-4).masked_select(small.logical_not()).all().item<bool>());
}

TEST(TransitionLoss, ItsGradientIsThatOfThePlainWay) {
  Neo model = grids();
  const Moves m = random_moves(gridworld(), 30, 30);
  const auto weights = torch::rand({30});
  const auto gradients = [&](const torch::Tensor& loss) {
    model->zero_grad();
    loss.backward();
    std::vector<torch::Tensor> all{loss.detach()};
    for (auto* module : std::initializer_list<torch::nn::Module*>{&model->executor(), &model->quantizer()}) {
      for (const auto& parameter : module->parameters()) all.push_back(parameter.grad().clone());
    }
    return all;
  };
  const auto table = gradients(transition_loss(*model, m.observations, m.codes, m.targets, weights));
  auto& observation = model->observation();
  const auto prediction = observation.decode(model->step(observation.encode(m.observations), m.codes));
  const auto plain = gradients((observation.readout().loss(prediction, m.targets) * weights).sum());
  for (size_t i = 0; i < table.size(); ++i) EXPECT_TRUE(torch::allclose(table[i], plain[i], 1e-3, 1e-4)) << i;
}

}  // namespace
}  // namespace neo
