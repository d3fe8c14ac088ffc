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

}  // namespace
}  // namespace neo
