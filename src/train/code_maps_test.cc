#include "train/code_maps.h"

#include <gtest/gtest.h>

#include "model/testing.h"

namespace neo {
namespace {

// Four codes in six dimensions, of which the third is switched off.
struct Codes {
  NeoConfig config;
  Neo model{nullptr};
  Codes() {
    torch::manual_seed(1);
    config.observation = {.kind = "linear", .width = 6};
    config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
    config.executor = {.kind = "bilinear"};
    config.quantizer.codes = config.quantizer.width = 4;
    config.quantizer.initial = "orthogonal";
    model = Neo(config, testing::image_space());
    model->quantizer().retire({2});
  }
};

TEST(CodeMaps, DoWhatTheExecutorDoes) {
  Codes c;
  const torch::NoGradGuard no_grad;
  const CodeMaps maps(*c.model, 6);
  ASSERT_EQ(maps.codes(), (std::vector<int64_t>{0, 1, 3}));
  const auto states = torch::randn({5, 1, 6});
  const ConvLayer side_by_side = maps.side_by_side();
  const auto every = torch::empty({5, 3, 6});
  run_plan(side_by_side.forward_plan(), states.data_ptr<float>(), every.data_ptr<float>(), 5);
  for (int64_t z = 0; z < 3; ++z) {
    const auto codes = torch::full({5}, maps.codes()[static_cast<size_t>(z)], torch::kLong);
    const auto expected = c.model->step(states, codes);
    EXPECT_TRUE(torch::allclose(every.select(1, z), expected.squeeze(1), 1e-5, 1e-6));
    EXPECT_TRUE(torch::allclose(maps.step(states, codes), expected, 1e-5, 1e-6));
  }
}

TEST(CodeMaps, EveryRowTakesItsOwnCodeAndMinusOneNone) {
  Codes c;
  const torch::NoGradGuard no_grad;
  const CodeMaps maps(*c.model, 6);
  const auto states = torch::randn({6, 1, 6});
  const auto codes = torch::tensor({3, -1, 0, 3, 1, -1}, torch::kLong);
  const auto reached = maps.step(states, codes);
  for (int64_t i = 0; i < 6; ++i) {
    const int64_t code = codes[i].item<int64_t>();
    const auto state = states.narrow(0, i, 1);
    const auto expected = code < 0 ? state : c.model->step(state, codes.narrow(0, i, 1));
    EXPECT_TRUE(torch::allclose(reached.narrow(0, i, 1), expected, 1e-5, 1e-6)) << i;
  }
}

TEST(CodeMaps, LeadingDimensionsUseTheLeadingPartOfAMap) {
  Codes c;
  const torch::NoGradGuard no_grad;
  const auto codes = torch::tensor({1, 3}, torch::kLong);
  const auto states = torch::randn({2, 1, 4});
  const auto reached = CodeMaps(*c.model, 4).step(states, codes);
  EXPECT_TRUE(torch::allclose(reached, c.model->step(states, codes), 1e-5, 1e-6));
}

}  // namespace
}  // namespace neo
