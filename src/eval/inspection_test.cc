#include "eval/inspection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/testing.h"
#include "model/testing.h"

namespace neo {
namespace {

// Pairs in the middle of the grid, made by moves.
EpisodeSet moved_cells() {
  std::vector<Episode> episodes;
  for (int row = 3; row < 7; ++row) {
    for (int column = 3; column < 7; ++column) {
      const Observation x = testing::grid_with(row, column), y = testing::grid_with(row - 1, column);
      episodes.push_back({x, y, x, y, {0}});
    }
  }
  return episodes_of(gridworld(), "moved cells", episodes);
}

TEST(Inspect, NamesEveryCodeByThePrimitiveItActsAs) {
  Neo model = testing::grid_theory();
  const Inspection i = inspect(*model, moved_cells(), {});
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
  Neo model = testing::grid_theory();
  const Relations r = inspect(*model, moved_cells(), {}).relations;
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
  Neo model = testing::grid_theory();
  const Inspection i = inspect(*model, moved_cells(), {.examples = 2});
  for (const CodeReport& code : i.codes) {
    ASSERT_EQ(code.examples.size(), 2u);
    for (const auto& [before, after] : code.examples) EXPECT_NE(before, after);
  }
  EXPECT_EQ(i.codes[0].examples[0].after, *gridworld().apply(0, i.codes[0].examples[0].before));
}

TEST(Inspect, UsageIsThatOfTheExplanations) {
  Neo model = testing::grid_theory();
  const Inspection i = inspect(*model, moved_cells(), {.pairs = 10, .steps = 3});
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
  Neo model = testing::grid_theory();
  model->quantizer().retire({1});
  const Inspection i = inspect(*model, moved_cells(), {});
  ASSERT_EQ(i.codes.size(), 3u);
  EXPECT_EQ(i.codes[1].code, 2);
  EXPECT_EQ(i.codes[1].name, "move_down");
  ASSERT_EQ(i.relations.inverses.size(), 1u);
  EXPECT_EQ(i.relations.inverses[0].others, std::vector<int64_t>{2});
}

// Grids whose primitives nobody knows.
class OwnWorld : public World {
 public:
  std::string_view name() const override { return "own"; }
  std::vector<int64_t> shape() const override { return gridworld().shape(); }
  int values() const override { return gridworld().values(); }
  const std::vector<std::string>& primitives() const override { return none_; }
  std::optional<Observation> apply(int, ObservationView) const override { return std::nullopt; }

 private:
  std::vector<std::string> none_;
};

TEST(Inspect, WithoutKnownPrimitivesCodesAreNamedByTheirEffect) {
  const OwnWorld world;
  Neo model = testing::grid_theory(world);
  EpisodeSet episodes = moved_cells();
  episodes.world = &world;
  const Inspection i = inspect(*model, episodes, {});
  std::vector<std::string> names;
  for (const CodeReport& code : i.codes) {
    names.push_back(code.name);
    EXPECT_TRUE(code.primitive.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"up 1", "right 1", "down 1", "left 1"}));
  EXPECT_EQ(i.relations.inverses.size(), 2u);
}

TEST(Inspect, ImagesAreComparedByDistance) {
  Neo model = testing::image_theory();
  std::vector<Episode> episodes;
  for (int i = 0; i < 8; ++i) {
    const Observation x(3072, static_cast<uint8_t>(20 * i)), y(3072, static_cast<uint8_t>(20 * i + 9));
    episodes.push_back({x, y, x, y, {0}});
  }
  const Inspection i =
      inspect(*model, episodes_of(imaging(), "flat images", episodes), {.hard_grounding = false});
  EXPECT_EQ(i.codes.size(), 4u);
  EXPECT_GT(i.self, 0.0);  // L1
  for (const CodeReport& code : i.codes) EXPECT_LE(code.unchanged, 1.0);
}

TEST(Inspect, ItsRecordHasAllItsParts) {
  Neo model = testing::grid_theory();
  const auto record = to_json(inspect(*model, moved_cells(), {}));
  for (const char* key : {"codes", "no_ops", "duplicates", "inverses", "commuting", "composites",
                          "vocabulary", "inputs", "pairs", "self", "mean_length"})
    EXPECT_TRUE(record.contains(key)) << key;
  EXPECT_EQ(record["codes"][0]["name"], "move_up");
}

}  // namespace
}  // namespace neo
