#include "model/hard_executor.h"

#include <gtest/gtest.h>

#include "model/cell_table.h"
#include "model/discovered_executor.h"
#include "model/testing.h"
#include "observe/tensors.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

Neo random_model(const Space& space, const ExecutorConfig& executor) {
  torch::manual_seed(11);
  NeoConfig config;
  config.observation = {.kind = "tokens", .width = 8};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = executor;
  config.quantizer = {.codes = 5, .width = 6};
  Neo model(config, space);
  model->eval();
  for (auto& parameter : model->executor().parameters()) torch::nn::init::normal_(parameter, 0, 0.5);
  model->observation().freeze();
  return model;
}
Neo grids() { return random_model(testing::grid_space(), {.kind = "local", .hidden = 16}); }
Neo numbers() {
  return random_model(testing::number_space(), {.kind = "recurrent", .hidden = 24, .action_scale = 3.0});
}

StepBatch random_steps(const Space& space, int64_t observations, int64_t steps) {
  torch::manual_seed(12);
  const auto some = [&] {
    return torch::randint(0, space.most_values(), {observations, space.size()}, dtype_of(space));
  };
  const auto from = some();
  return {from, some(), torch::randint(0, observations, {steps}), torch::randint(0, 5, {steps}), {}};
}

void expect_equal(const Reading& a, const Reading& b) {
  EXPECT_TRUE(torch::equal(a.hard, b.hard));
  EXPECT_TRUE(torch::allclose(a.loss, b.loss, 1e-4, 1e-4));
  EXPECT_TRUE(torch::allclose(a.self_loss, b.self_loss, 1e-4, 1e-4));
  EXPECT_TRUE(torch::equal(a.exact, b.exact));
}

TEST(HardExecutor, TheCellTableReadsWhatThePlainWayReads) {
  Neo model = grids();
  ASSERT_NE(CellTable::make(*model), nullptr);
  const auto executor = make_hard_executor(*model);
  for (int64_t steps : {1, 300}) {
    const StepBatch m = random_steps(testing::grid_space(), 20, steps);
    expect_equal(executor->step(m), make_plain_hard_executor(*model)->step(m));
  }
}

TEST(HardExecutor, TheSuffixTableReadsWhatThePlainWayReads) {
  Neo model = numbers();
  const StepBatch m = random_steps(testing::number_space(), 50, 3000);
  expect_equal(make_hard_executor(*model)->step(m), make_plain_hard_executor(*model)->step(m));
}

// Four moves between fixed cells and a rule, in one theory.
std::vector<Operation> some_operations(const CellShape& shape) {
  RngStream random(3, "operations");
  std::vector<Operation> operations;
  for (int i = 0; i < 4; ++i) {
    Routing routing;
    for (int64_t cell = 0; cell < shape.cells(); ++cell) {
      routing.sources.push_back(static_cast<int32_t>(random.below(static_cast<uint64_t>(shape.cells() + 1))) -
                                1);
      routing.constants.push_back(static_cast<uint16_t>(random.below(static_cast<uint64_t>(shape.values))));
    }
    for (int64_t value = 0; value < shape.values; ++value)
      routing.map.push_back(static_cast<uint16_t>(random.below(static_cast<uint64_t>(shape.values))));
    operations.emplace_back(std::move(routing));
  }
  // Where the cell above holds 2 it is copied; else the value is counted on.
  CellRule rule{shape, {}};
  CellRule::Node question, copied, mapped;
  question.yes = 1;
  question.no = 2;
  question.test = {CellTest::Kind::is_value, {.down = -1}, 2};
  copied.source = {CellSource::Kind::copied, {.down = -1}};
  mapped.source.kind = CellSource::Kind::mapped;
  for (int64_t value = 0; value < shape.values; ++value)
    mapped.source.map.push_back(static_cast<uint16_t>((value + 1) % shape.values));
  rule.trees.assign(static_cast<size_t>(shape.channels), {question, copied, mapped});
  operations.emplace_back(std::move(rule));
  return operations;
}

TEST(HardExecutor, DiscoveredOperationsReadAsThePlainWayReads) {
  for (const Space& space : {Space{.layout = Layout::grid, .shape = {3, 4}, .values = {6}},
                             Space{.layout = Layout::grid, .shape = {3, 4, 2}, .values = {6}}}) {
    const CellShape shape{3, 4, 6, space.channels(), {}};
    const auto operations = some_operations(shape);
    torch::manual_seed(11);
    NeoConfig config;
    config.observation = {.kind = "tokens", .width = 8};
    config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
    config.executor = {.kind = "discovered",
                       .values = 6,
                       .channels = space.channels(),
                       .words = DiscoveredExecutor::words_of(operations, shape)};
    config.quantizer = {.codes = 5, .width = 5, .initial = "orthogonal"};
    Neo model(config, space);
    model->eval();
    model->observation().freeze();
    dynamic_cast<DiscoveredExecutor&>(model->executor())
        .set(operations, shape, model->quantizer().vectors(torch::arange(5)),
             dynamic_cast<TokenEmbedding&>(model->observation()).vectors());
    const StepBatch m = random_steps(space, 20, 300);
    const Reading reading = make_hard_executor(*model)->step(m);
    expect_equal(reading, make_plain_hard_executor(*model)->step(m));
    // And both do what the operations say.
    for (int64_t i = 0; i < 300; ++i) {
      const auto from = m.observations[m.source[i].item<int64_t>()];
      const std::vector<uint16_t> x(from.data_ptr<uint8_t>(), from.data_ptr<uint8_t>() + space.size());
      const auto y = operations[static_cast<size_t>(m.codes[i].item<int64_t>())].applied(x);
      EXPECT_TRUE(std::equal(y.begin(), y.end(), reading.hard[i].data_ptr<uint8_t>()));
    }
  }
}

TEST(DiscoveredExecutor, RefusesWeightsThatHoldNoOperations) {
  const Space space{.layout = Layout::grid, .shape = {3, 4}, .values = {6}};
  const CellShape shape{3, 4, 6, 1, {}};
  const auto operations = some_operations(shape);
  const ExecutorConfig config{
      .kind = "discovered", .values = 6, .words = DiscoveredExecutor::words_of(operations, shape)};
  DiscoveredExecutor executor(config, {12, 8, 3, 4}, 5);
  executor.set(operations, shape, torch::eye(5), torch::eye(6).repeat({1, 2}).slice(1, 0, 8));
  const auto x = torch::zeros({1, 12}, torch::kByte), first = torch::zeros({1}, torch::kLong);
  EXPECT_NO_THROW(executor.next_values(x, first, first));
  executor.named_buffers()["words"][6] = 1 << 20;  // a source that is no cell
  EXPECT_CONTAINS(testing::error_of([&] { executor.next_values(x, first, first); }), "train them again");
}

// Where no table applies, what stands in for it must read the same.
TEST(HardExecutor, ReadsObservationsOfEveryFormAsThePlainWayDoes) {
  const Space channels{.layout = Layout::grid, .shape = {5, 4, 2}, .values = {3, 3}};
  const Space many_tokens{.layout = Layout::sequence, .shape = {7}, .values = {300}};
  const Space many_values{.layout = Layout::grid, .shape = {4, 4}, .values = {40}};
  for (const auto& [space, kind] : std::vector<std::pair<Space, std::string>>{{channels, "local"},
                                                                              {many_values, "local"},
                                                                              {many_tokens, "local"},
                                                                              {many_tokens, "recurrent"},
                                                                              {channels, "film"}}) {
    SCOPED_TRACE(describe(space) + ", " + kind);
    Neo model = random_model(space, {.kind = kind, .hidden = 16});
    const StepBatch m = random_steps(space, 20, 60);
    const Reading reading = make_hard_executor(*model)->step(m);
    EXPECT_EQ(reading.hard.scalar_type(), dtype_of(space));
    expect_equal(reading, make_plain_hard_executor(*model)->step(m));
  }
}

TEST(HardExecutor, CodesMayBeAColumnOfPrograms) {
  const auto programs = torch::randint(0, 5, {300, 3});
  for (Neo model : {grids(), numbers()}) {
    StepBatch m = random_steps(model->space(), 20, 300);
    m.codes = programs.select(1, 1);
    StepBatch plain = m;
    plain.codes = m.codes.contiguous();
    expect_equal(make_hard_executor(*model)->step(m), make_plain_hard_executor(*model)->step(plain));
  }
}

TEST(HardExecutor, ExactMeansEveryElement) {
  Neo model = numbers();
  StepBatch m = random_steps(testing::number_space(), 50, 2000);
  const auto executor = make_hard_executor(*model);
  const auto hard = executor->step(m).hard;
  const auto each = torch::arange(2000);
  StepBatch own{m.observations.index_select(0, m.source), hard, each, m.codes, {}};
  EXPECT_TRUE(executor->step(own).exact.all().item<bool>());
  own.targets = hard.clone();
  own.targets.select(1, 5) = (own.targets.select(1, 5) + 1) % 10;
  EXPECT_FALSE(executor->step(own).exact.any().item<bool>());
}

TEST(HardExecutor, WhatIsWithinItsLimitIsNeverGivenUp) {
  Neo model = numbers();
  StepBatch m = random_steps(testing::number_space(), 50, 3000);
  const Reading full = make_plain_hard_executor(*model)->step(m);
  m.limit = torch::full({3000}, full.loss.median().item<float>());
  const Reading limited = make_hard_executor(*model)->step(m);
  const auto within = torch::min(full.loss, full.self_loss) <= m.limit;
  ASSERT_TRUE(within.any().item<bool>());
  EXPECT_TRUE(
      torch::allclose(limited.loss.masked_select(within), full.loss.masked_select(within), 1e-4, 1e-4));
  EXPECT_TRUE((torch::min(limited.loss, limited.self_loss) > m.limit - 1e-4)
                  .masked_select(within.logical_not())
                  .all()
                  .item<bool>());
  m.last = true;
  const Reading last = make_hard_executor(*model)->step(m);
  const auto small = full.loss <= m.limit;
  EXPECT_TRUE(torch::allclose(last.loss.masked_select(small), full.loss.masked_select(small), 1e-4, 1e-4));
  EXPECT_TRUE((last.loss > m.limit - 1e-4).masked_select(small.logical_not()).all().item<bool>());
}

TEST(TransitionLoss, ItsGradientIsThatOfThePlainWay) {
  Neo model = grids();
  const StepBatch m = random_steps(testing::grid_space(), 30, 30);
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
