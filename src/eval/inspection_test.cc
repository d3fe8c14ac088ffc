#include "eval/inspection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/testing.h"
#include "model/testing.h"

namespace neo {
namespace {

// Pairs in the middle of the grid, made by moves.
Episodes moved_cells() {
  std::vector<Pair> pairs;
  for (int i = 0; i < 16; ++i) {
    const int row = 3 + i / 4, column = 3 + i % 4;
    for (int copy = 0; copy < 2; ++copy)
      pairs.push_back({testing::grid_with(row, column), testing::grid_with(row - 1, column), i, "move_up"});
  }
  return episodes_of(to_pairs("moved cells", testing::grid_space(), pairs));
}

// The grid theory as its benchmark knows it.
struct GridInspection {
  Neo model = testing::grid_theory();
  Policy policy;
  std::unique_ptr<View> view = make_view(testing::grid_space());
  const Benchmark* benchmark = &benchmark_named("gridworld");
  Inspection operator()(const Episodes& episodes, const InspectionOptions& options = {}) {
    return inspect({*model, policy, *view, benchmark}, episodes, options);
  }
};

TEST(Inspect, NamesEveryCodeByThePrimitiveItActsAs) {
  GridInspection inspected;
  const Inspection i = inspected(moved_cells());
  ASSERT_EQ(i.codes.size(), 4u);
  std::vector<std::string> names;
  for (const CodeReport& code : i.codes) {
    names.push_back(code.name);
    EXPECT_EQ(code.name, code.primitive);
    EXPECT_EQ(code.agreement, 1.0);
    EXPECT_EQ(code.unchanged, 0.0);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"move_up", "move_right", "move_down", "move_left"}));
  EXPECT_EQ(i.vocabulary.primitiveness, 1.0);
}

TEST(Inspect, MovesHaveInversesAndCommute) {
  const Relations r = GridInspection()(moved_cells()).relations;
  ASSERT_EQ(r.inverses.size(), 2u);
  EXPECT_EQ(r.inverses[0].code, 0);
  EXPECT_EQ(r.inverses[0].others, std::vector<int64_t>{2});
  EXPECT_EQ(r.inverses[1].code, 1);
  EXPECT_EQ(r.inverses[1].others, std::vector<int64_t>{3});
  EXPECT_EQ(r.commuting.size(), 6u);
  EXPECT_TRUE(r.duplicates.empty());
  EXPECT_TRUE(r.composites.empty());
  EXPECT_TRUE(r.no_ops.empty());
}

TEST(Inspect, ShowsExamplesOfWhatACodeDoes) {
  GridInspection inspected;
  const Inspection i = inspected(moved_cells(), {.examples = 2});
  for (const CodeReport& code : i.codes) {
    ASSERT_EQ(code.examples.size(), 2u);
    for (const auto& [before, after] : code.examples) EXPECT_NE(before, after);
  }
  EXPECT_EQ(i.codes[0].examples[0].after, *inspected.benchmark->apply(0, i.codes[0].examples[0].before));
}

TEST(Inspect, UsageIsThatOfTheExplanations) {
  GridInspection inspected;
  inspected.policy.steps = 3;
  const Inspection i = inspected(moved_cells(), {.pairs = 10});
  double usage = 0;
  for (const CodeReport& code : i.codes) {
    usage += code.usage;
    EXPECT_LE(code.programs, 1.0);
  }
  EXPECT_NEAR(usage, 1.0, 1e-9);
  EXPECT_EQ(i.pairs, 10);
  EXPECT_GE(i.mean_length, 1.0);
}

TEST(Inspect, RetiredCodesAreNotReportedAndNumbersStay) {
  GridInspection inspected;
  inspected.model->quantizer().retire({1});
  const Inspection i = inspected(moved_cells());
  ASSERT_EQ(i.codes.size(), 3u);
  EXPECT_EQ(i.codes[1].code, 2);
  EXPECT_EQ(i.codes[1].name, "move_down");
  ASSERT_EQ(i.relations.inverses.size(), 1u);
  EXPECT_EQ(i.relations.inverses[0].others, std::vector<int64_t>{2});
}

TEST(Inspect, WithoutKnownPrimitivesCodesAreNamedByTheirEffect) {
  GridInspection inspected;
  inspected.benchmark = nullptr;
  Episodes episodes = moved_cells();
  episodes.programs.clear();
  const Inspection i = inspected(episodes);
  std::vector<std::string> names;
  for (const CodeReport& code : i.codes) {
    names.push_back(code.name);
    EXPECT_TRUE(code.primitive.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"up 1", "right 1", "down 1", "left 1"}));
  EXPECT_EQ(i.relations.inverses.size(), 2u);
}

TEST(Inspect, OwnDataThatNameTheirProgramsNameTheCodes) {
  GridInspection inspected;
  inspected.benchmark = nullptr;
  std::vector<Pair> pairs;
  for (int column = 3; column < 7; ++column) {
    pairs.push_back({testing::grid_with(5, column), testing::grid_with(4, column), -1, "rise"});
    pairs.push_back({testing::grid_with(5, column), testing::grid_with(5, column + 1), -1, "go"});
    pairs.push_back({testing::grid_with(5, column), testing::grid_with(4, column + 1), -1, "rise go"});
  }
  const Inspection i = inspected(episodes_of(to_pairs("named", testing::grid_space(), pairs)));
  EXPECT_EQ(i.vocabulary.primitives, (std::vector<std::string>{"go", "rise"}));
  EXPECT_EQ(i.vocabulary.primitiveness, 1.0);
  EXPECT_EQ(i.vocabulary.exactness, (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(i.vocabulary.alignment[0], (std::vector<double>{0.0, 1.0}));  // up is "rise"
  EXPECT_EQ(i.vocabulary.alignment[1], (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(i.codes[0].name, "rise");
  EXPECT_EQ(i.codes[1].name, "go");
  EXPECT_EQ(i.codes[2].name, "down 1");
}

TEST(Inspect, TheTheoryExplainsByItsPolicy) {
  GridInspection inspected;
  inspected.policy = {.steps = 3, .search = "beam", .width = 8};
  const Inspection i = inspected(moved_cells());
  EXPECT_EQ(i.self, 1.0);
  EXPECT_EQ(i.mean_length, 1.0);
  EXPECT_EQ(i.codes[0].usage, 1.0);
  EXPECT_EQ(i.codes[0].programs, 1.0);
}

TEST(Inspect, ImagesAreComparedByDistance) {
  Neo model = testing::image_theory();
  std::vector<Pair> pairs;
  for (int i = 0; i < 8; ++i)
    pairs.push_back({Observation(3072, static_cast<uint8_t>(20 * i)),
                     Observation(3072, static_cast<uint8_t>(20 * i + 9))});
  const auto view = make_view(testing::image_space());
  const Policy latent{.hard_grounding = false};
  const Inspection i = inspect({*model, latent, *view},
                               episodes_of(to_pairs("flat images", testing::image_space(), pairs)), {});
  EXPECT_EQ(i.codes.size(), 4u);
  EXPECT_GT(i.self, 0.0);  // L1
  for (const CodeReport& code : i.codes) EXPECT_LE(code.unchanged, 1.0);
}

TEST(Inspect, RealNumbersAreComparedInUnitsOfTheirSpread) {
  const Space space{.kind = Kind::real, .layout = Layout::vector, .shape = {3}};
  NeoConfig config;
  config.observation = {.kind = "linear", .width = 3};
  config.programmer = {.kind = "mlp", .hidden = 8, .layers = 1};
  config.executor = {.kind = "bilinear"};
  config.quantizer = {.codes = 2, .width = 2, .initial = "orthogonal"};
  torch::manual_seed(3);
  Neo model(config, space);
  const auto numbers = torch::randn({40, 3}) * torch::tensor({1.0, 1000.0, 0.001});
  model->observation().fit(numbers);
  model->observation().freeze();
  model->eval();
  // Code 0 leaves everything as it is, code 1 negates the state.
  auto& executor = dynamic_cast<BilinearExecutor&>(model->executor());
  const auto actions = model->quantizer().vectors(torch::arange(2)).detach();
  torch::NoGradGuard no_grad;
  executor.set_map(actions[0], torch::zeros({3, 3}), torch::zeros({3}));
  executor.set_map(actions[1], -2.0 * torch::eye(3), torch::zeros({3}));
  Episodes episodes{.name = "numbers", .space = space};
  episodes.support_x = episodes.support_y = numbers;
  const auto view = make_view(space);
  const Policy latent{.hard_grounding = false};
  const Inspection i = inspect({*model, latent, *view}, episodes, {});
  EXPECT_EQ(i.relations.no_ops, std::vector<int64_t>{0});
  EXPECT_EQ(i.codes[0].unchanged, 1.0);
  EXPECT_EQ(i.codes[1].unchanged, 0.0);
  ASSERT_EQ(i.relations.inverses.size(), 1u);  // its own
  EXPECT_EQ(i.relations.inverses[0].others, std::vector<int64_t>{1});
}

TEST(Inspect, ATheoryWithoutCodesHasNoVocabularyToInspect) {
  Neo model = testing::continuous_theory(4, 0.3);
  const auto view = make_view(testing::number_space());
  Episodes episodes{.name = "numbers", .space = testing::number_space()};
  episodes.support_x = episodes.support_y = torch::zeros({2, 6}, torch::kUInt8);
  EXPECT_CONTAINS(testing::error_of([&] { inspect({*model, Policy{}, *view}, episodes, {}); }), "codes");
}

TEST(Inspect, ItsRecordHasAllItsParts) {
  GridInspection inspected;
  const auto write = [&](ObservationView o) { return inspected.view->json(o); };
  const auto record = to_json(inspected(moved_cells()), write);
  for (const char* key : {"codes", "relations", "vocabulary", "inputs", "pairs", "self", "mean_length"})
    EXPECT_TRUE(record.contains(key)) << key;
  for (const char* key : {"no_ops", "duplicates", "inverses", "commuting", "composites"})
    EXPECT_TRUE(record["relations"].contains(key)) << key;
  EXPECT_EQ(record["codes"][0]["name"], "move_up");
  EXPECT_EQ(record["codes"][0]["examples"][0]["before"].size(), 10u);
}

}  // namespace
}  // namespace neo
