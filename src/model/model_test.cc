#include <gtest/gtest.h>

#include "core/error.h"
#include "core/testing.h"
#include "model/testing.h"
#include "model/weights.h"
#include "observe/tensors.h"
#include "observe/token_embedding.h"

namespace neo {
namespace {

TEST(Quantizer, GradientPassesStraightThrough) {
  Quantizer quantizer(QuantizerConfig{.codes = 4, .width = 2});
  const auto a = torch::nn::functional::normalize(torch::randn({3, 2})).set_requires_grad(true);
  (quantizer->forward(a).vectors * torch::tensor({1.0, 0.0})).sum().backward();
  // d/da of a/|a| on the unit circle: the tangential part of the incoming gradient.
  const auto incoming = torch::tensor({1.0, 0.0}).expand({3, 2});
  const auto expected = incoming - (incoming * a.detach()).sum(1, true) * a.detach();
  EXPECT_TRUE(torch::allclose(a.grad(), expected, 1e-4, 1e-5));
}

TEST(Quantizer, NearestCodeHasTheSmallestDistance) {
  Quantizer quantizer(QuantizerConfig{.codes = 5, .width = 3});
  const auto actions = torch::randn({64, 3});
  EXPECT_TRUE(torch::equal(quantizer->forward(actions).codes, quantizer->distances(actions).argmin(1)));
}

TEST(Quantizer, SamplingFollowsTheSoftmaxOfDistances) {
  Quantizer quantizer(QuantizerConfig{.codes = 3, .width = 2});
  const auto action = torch::tensor({{0.3, 0.9}}).expand({20000, 2});
  const auto uniforms = (torch::arange(20000, torch::kFloat) + 0.5) / 20000;
  const auto codes = quantizer->forward(action, uniforms, 0.7).codes;
  const auto share = codes.bincount({}, 3).to(torch::kFloat) / 20000;
  const auto expected = torch::softmax(-quantizer->distances(action.narrow(0, 0, 1)) / 0.7, 1).squeeze(0);
  EXPECT_TRUE(torch::allclose(share, expected, 0, 1e-3)) << share << expected;
}

TEST(Quantizer, EmaCodebookMovesByTheDocumentedRule) {
  Quantizer quantizer(QuantizerConfig{.codes = 2, .width = 2, .codebook = "ema", .decay = 0.5});
  quantizer->reset_code(0, torch::tensor({1.0, 0.0}));
  quantizer->reset_code(1, torch::tensor({0.0, 1.0}));
  quantizer->train();
  quantizer->forward(torch::tensor({{0.6, 0.8}, {0.8, 0.6}, {1.0, 0.0}}));
  quantizer->commit();
  // Code 0 has size 1 and sum (1,0); it receives (.8,.6) and (1,0): size .5+1 = 1.5, sum (.5+.9, .3).
  const auto code = quantizer->named_buffers()["codebook"][0];
  EXPECT_NEAR(code[0].item<float>(), 1.4 / 1.5, 1e-4);
  EXPECT_NEAR(code[1].item<float>(), 0.3 / 1.5, 1e-4);
}

TEST(Quantizer, AnEmaCodebookStaysAsItIsUntilCommitted) {
  for (const std::string commit : {"call", "step"}) {
    Quantizer quantizer(QuantizerConfig{.codes = 2, .width = 2, .codebook = "ema", .commit = commit});
    quantizer->train();
    const auto codebook = [&] { return quantizer->named_buffers()["codebook"].clone(); };
    const auto before = codebook();
    quantizer->forward(torch::tensor({{0.6, 0.8}, {0.8, 0.6}}));
    EXPECT_TRUE(torch::equal(before, codebook())) << commit;
    quantizer->commit();
    const auto after = codebook();
    EXPECT_FALSE(torch::equal(before, after)) << commit;
    quantizer->commit();  // nothing was assigned since
    EXPECT_TRUE(torch::equal(after, codebook())) << commit;
  }
}

// Two calls in a step: averaged call by call, each halves what was there; averaged once, both count alike.
TEST(Quantizer, AnEmaCodebookMovesAfterEveryCallOrOnceForAllOfAStep) {
  const auto size_after = [](const std::string& commit) {
    Quantizer quantizer(
        QuantizerConfig{.codes = 1, .width = 2, .codebook = "ema", .decay = 0.5, .commit = commit});
    quantizer->train();
    for (int call = 0; call < 2; ++call) quantizer->forward(torch::tensor({{0.6, 0.8}, {0.8, 0.6}}));
    quantizer->commit();
    return quantizer->named_buffers()["sizes"][0].item<float>();
  };
  EXPECT_FLOAT_EQ(size_after("call"), 0.5f * (0.5f * 2) + 0.5f * 2);
  EXPECT_FLOAT_EQ(size_after("step"), 0.5f * 4);
}

TEST(Quantizer, RefusesUnknownSettings) {
  EXPECT_THROW(Quantizer(QuantizerConfig{.codebook = "magic"}), UsageError);
  EXPECT_THROW(Quantizer(QuantizerConfig{.commit = "later"}), UsageError);
}

TEST(LocalExecutor, CellsFollowTheSameRuleAsGrids) {
  const StateShape shape{100, 8, 10, 10};
  LocalExecutor executor({.kind = "local", .hidden = 16}, shape, 6);
  for (auto& parameter : executor.parameters()) torch::nn::init::normal_(parameter, 0, 0.5);
  const auto state = torch::randn({1, 100, 8});
  const auto action = torch::randn({1, 6});
  const auto centre = state[0].index_select(0, torch::tensor({44, 34, 43, 45, 54})).unsqueeze(0);
  EXPECT_TRUE(
      torch::allclose(executor.cells(centre, action)[0], executor.forward(state, action)[0][44], 1e-4, 1e-5));
}

TEST(BilinearExecutor, EveryActionEqualsOneAtATime) {
  torch::manual_seed(9);
  const auto executor = make_executor({.kind = "bilinear"}, {1, 7, 1, 1}, 3);
  for (auto& parameter : executor->parameters()) torch::nn::init::normal_(parameter, 0, 0.5);
  const auto state = torch::randn({5, 1, 7});
  const auto actions = torch::randn({4, 3});
  const auto every = executor->every_action(state, actions);
  for (int64_t z = 0; z < 4; ++z) {
    const auto one = executor->forward(state, actions[z].expand({5, 3}));
    EXPECT_TRUE(torch::allclose(every.select(1, z), one, 1e-4, 1e-5));
  }
}

TEST(Quantizer, OrthogonalCodesStartAtRightAngles) {
  Quantizer quantizer(QuantizerConfig{.codes = 5, .width = 6, .initial = "orthogonal"});
  const auto e = quantizer->vectors(torch::arange(5));
  EXPECT_TRUE(torch::allclose(e.matmul(e.t()), torch::eye(5), 1e-4, 1e-5));
  EXPECT_THROW(Quantizer(QuantizerConfig{.codes = 5, .width = 4, .initial = "orthogonal"}), UsageError);
}

TEST(ProductProgrammer, TellsWhetherTheTargetIsTheStateOrItsNegative) {
  torch::manual_seed(1);
  const auto programmer = make_programmer({.kind = "products", .hidden = 16, .layers = 1, .features = 16},
                                          {.tokens = 1, .width = 8}, /*action_width=*/2);
  torch::optim::Adam optimizer(programmer->parameters(), 2e-2);
  double right = 0;
  for (int i = 0; i < 200; ++i) {
    const auto state = torch::randn({64, 1, 8});
    const auto answer = torch::randint(0, 2, {64});
    const auto target = state * (1 - 2 * answer.view({-1, 1, 1}));
    const auto action = programmer->forward(state, target);
    optimizer.zero_grad();
    torch::nn::functional::cross_entropy(action, answer).backward();
    optimizer.step();
    right = (action.argmax(1) == answer).to(torch::kDouble).mean().item<double>();
  }
  EXPECT_GT(right, 0.95);
}

TEST(ProjectionProgrammer, SeesTheSameInAnObservationAsInItsState) {
  torch::manual_seed(9);
  TokenEmbedding observation(testing::grid_space(), 4);
  const auto programmer =
      make_programmer({.kind = "projections", .hidden = 8, .layers = 1, .features = 3}, {100, 4, 10, 10}, 5);
  const auto grids = torch::randint(0, 9, {7, 100}, torch::kByte);
  const auto slow = programmer->encode_state(observation.encode(grids));
  const auto fast = programmer->encode_state_observation(observation, grids);
  EXPECT_TRUE(torch::allclose(fast, slow, 1e-4, 1e-5));
  const auto weight = programmer->named_parameters()["features.weight"];
  const auto upstream = torch::randn_like(slow);
  EXPECT_TRUE(torch::allclose(torch::autograd::grad({fast}, {weight}, {upstream})[0],
                              torch::autograd::grad({slow}, {weight}, {upstream})[0], 1e-3, 1e-4));
}

TEST(RecurrentExecutor, ATokenDependsOnThoseAfterItOnly) {
  const auto executor = make_executor({.kind = "recurrent", .hidden = 12}, {6, 4, 1, 6}, 3);
  const auto state = torch::randn({1, 6, 4});
  const auto action = torch::randn({1, 3});
  auto other = state.clone();
  other[0][2] += 1.0;
  const auto before = executor->forward(state, action)[0];
  const auto after = executor->forward(other, action)[0];
  EXPECT_TRUE(torch::equal(before.slice(0, 3), after.slice(0, 3)));
  for (int64_t t : {0, 1, 2}) EXPECT_FALSE(torch::equal(before[t], after[t]));
}

TEST(Quantizer, OrthogonalityTurnsAveragedCodesApart) {
  Quantizer quantizer(QuantizerConfig{.codes = 2, .width = 2, .codebook = "ema", .orthogonality = 10.0});
  quantizer->reset_code(0, torch::tensor({1.0, 0.1}));
  quantizer->reset_code(1, torch::tensor({1.0, -0.1}));
  quantizer->train();
  const auto cosine = [&] {
    const auto e = quantizer->vectors(torch::tensor({0, 1}));
    return (e[0] * e[1]).sum().item<double>();
  };
  const double before = cosine();
  for (int i = 0; i < 200; ++i) {
    quantizer->forward(torch::tensor({{1.0, 0.1}, {1.0, -0.1}}));
    quantizer->commit();
  }
  EXPECT_LT(cosine(), before - 0.1);
}

TEST(Quantizer, RetiredCodesAreNeverChosen) {
  Quantizer quantizer(QuantizerConfig{.codes = 3, .width = 2});
  quantizer->retire({0, 2});
  EXPECT_EQ(quantizer->active(), std::vector<int64_t>{1});
  const auto chosen = quantizer->forward(torch::randn({50, 2}), torch::rand({50}), 5.0).codes;
  EXPECT_TRUE((chosen == 1).all().item<bool>());
}

TEST(FilmExecutor, StartsWithGammaOnTheDiagonalAndNoBeta) {
  const auto executor = make_executor({.kind = "film", .hidden = 12}, {1, 4, 1, 1}, 3);
  const auto parameters = executor->named_parameters();
  EXPECT_TRUE(torch::equal(parameters["gamma.weight"].diagonal(), torch::ones({12})));
  EXPECT_EQ(parameters["beta.weight"].abs().sum().item<float>(), 0);
}

TEST(ProjectionProgrammer, SeesChannelsAndWideValuesThroughTheirStates) {
  torch::manual_seed(9);
  const Space channels{.layout = Layout::grid, .shape = {3, 4, 2}, .values = {5, 2}};
  const Space wide{.layout = Layout::sequence, .shape = {6}, .values = {500}};
  for (const Space& space : {channels, wide}) {
    TokenEmbedding observation(space, 4);
    const auto programmer = make_programmer({.kind = "projections", .hidden = 8, .layers = 1, .features = 3},
                                            observation.state(), 5);
    const auto some = torch::randint(0, 2, {7, space.size()}, dtype_of(space));
    EXPECT_TRUE(torch::allclose(programmer->encode_state_observation(observation, some),
                                programmer->encode_state(observation.encode(some)), 1e-4, 1e-5));
  }
}

TEST(FilmProgrammer, TheTargetModulatesWhatIsSeenOfTheState) {
  torch::manual_seed(1);
  const auto programmer = make_programmer({.kind = "film", .hidden = 8, .layers = 4}, {.tokens = 2, .width = 3}, 5);
  const auto state = torch::randn({4, 2, 3}), target = torch::randn({4, 2, 3});
  const auto action = programmer->forward(state, target);
  EXPECT_EQ(action.sizes(), (std::vector<int64_t>{4, 5}));
  EXPECT_FALSE(torch::allclose(action, programmer->forward(state, -target)));
  EXPECT_FALSE(torch::allclose(action, programmer->forward(-state, target)));
  for (auto& item : programmer->named_parameters()) {  // gamma 0 and beta 0: nothing of the state is left
    torch::NoGradGuard no_grad;
    if (item.key().starts_with("gamma") || item.key().starts_with("beta")) item.value().zero_();
  }
  EXPECT_TRUE(torch::equal(programmer->forward(state, target), programmer->forward(-state, target)));
}

TEST(Factories, NameWhatTheyHave) {
  EXPECT_NE(testing::error_of([] { make_executor({.kind = "magic"}, {}, 4); }).find("film"),
            std::string::npos);
  EXPECT_NE(testing::error_of([] { make_programmer({.kind = "magic"}, {}, 4); }).find("mlp"),
            std::string::npos);
  EXPECT_NE(testing::error_of([] {
              make_observation_model({.kind = "magic"}, testing::grid_space());
            }).find("tokens"),
            std::string::npos);
}

}  // namespace
}  // namespace neo
