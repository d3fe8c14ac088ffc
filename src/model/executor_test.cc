#include "model/executor.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace neo {
namespace {

// Weights by name, so that a plain version can be written out.
torch::Tensor linear(Executor& executor, const std::string& name, const torch::Tensor& x) {
  const auto parameters = executor.named_parameters();
  return torch::linear(x, parameters[name + ".weight"], parameters[name + ".bias"]);
}

TEST(FilmExecutor, OneBlockKeepsTheNamesOfItsWeights) {
  const auto executor = make_executor({.kind = "film", .hidden = 6}, {1, 4, 1, 1}, 3);
  std::vector<std::string> names;
  for (const auto& item : executor->named_parameters()) {
    if (item.key().ends_with(".weight")) names.push_back(item.key());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"state.0.weight", "state.2.weight", "action.weight",
                                             "gamma.weight", "beta.weight", "output.0.weight",
                                             "output.2.weight", "output.4.weight"}));
}

TEST(FilmExecutor, EveryBlockHasALayerAndIsModulated) {
  torch::manual_seed(1);
  const auto executor = make_executor({.kind = "film", .hidden = 6, .blocks = 4}, {1, 4, 1, 1}, 3);
  torch::NoGradGuard no_grad;
  for (auto& item : executor->named_parameters()) {
    if (item.key().starts_with("beta")) item.value().normal_();
  }
  const auto state = torch::randn({5, 1, 4});
  const auto action = torch::randn({5, 3});
  auto h = torch::relu(linear(*executor, "state.0", state.squeeze(1)));
  h = torch::relu(linear(*executor, "state.2", h));
  const auto a = linear(*executor, "action", action);
  for (const char* i : {"0", "1", "2", "3"}) {
    h = linear(*executor, std::string("gamma") + i, a) *
            torch::relu(linear(*executor, std::string("in") + i, h)) +
        linear(*executor, std::string("beta") + i, a);
  }
  const auto change = linear(*executor, "output.2", torch::relu(linear(*executor, "output.0", h)));
  EXPECT_TRUE(torch::allclose(executor->forward(state, action), state + change.unsqueeze(1), 1e-5, 1e-6));
}

TEST(FilmExecutor, NeedsABlock) {
  EXPECT_THROW(make_executor({.kind = "film", .blocks = 0}, {1, 4, 1, 1}, 3), UsageError);
}

TEST(BilinearExecutor, LeadingDimensionsAloneAreTheLeadingBlockOfItsMaps) {
  torch::manual_seed(5);
  BilinearExecutor executor({1, 6, 1, 1}, 2);
  const auto state = torch::randn({3, 1, 2});
  const auto action = torch::tensor({{1.0f, 0.0f}});
  const auto map = executor.named_parameters()["maps"][0].slice(0, 0, 2).slice(1, 0, 2);
  const auto expected = state + state.matmul(map);
  EXPECT_TRUE(torch::allclose(executor.forward(state, action.expand({3, 2})), expected, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(executor.every_action(state, action).select(1, 0), expected, 1e-4, 1e-5));
}

TEST(BilinearExecutor, AnActionThatBecomesAnotherDoesTheSameAndTheRestStayAsTheyWere) {
  torch::manual_seed(6);
  BilinearExecutor executor({1, 5, 1, 1}, 3);
  const auto actions = torch::eye(3);
  const auto state = torch::randn({4, 1, 5});
  const auto before = executor.every_action(state, actions);
  const auto [maps, offsets] = executor.affine(actions, 5);
  executor.set_map(actions[2], maps[0], offsets[0]);
  const auto after = executor.every_action(state, actions);
  EXPECT_TRUE(torch::allclose(after.select(1, 2), before.select(1, 0), 1e-4, 1e-5));
  for (int64_t z : {0, 1}) EXPECT_TRUE(torch::allclose(after.select(1, z), before.select(1, z), 1e-4, 1e-5));
}

}  // namespace
}  // namespace neo
