#include "neo/learn.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/rng.h"
#include "neo/testing.h"
#include "neo/signature.h"

namespace neo {
namespace {

TEST(Learn, GoesFromAFileToANamedVocabulary) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  testing::write_moves("moves.jsonl");
  LearnOptions options{.sources = {"moves.jsonl"}, .minutes = 0.1, .quiet = true};
  const LearnResult result = learn(options);
  EXPECT_EQ(result.run, std::filesystem::path("runs/moves"));
  EXPECT_EQ(result.structure, "routing");
  EXPECT_TRUE(result.is_theory());
  ASSERT_EQ(result.trials.size(), 2u);
  EXPECT_LT(result.trials[1].bits, result.trials[0].bits);
  EXPECT_TRUE(result.held_out);
  EXPECT_GT(result.score.explained, 0.9);
  ASSERT_TRUE(result.primitiveness.has_value());
  EXPECT_GT(*result.primitiveness, 0.9);
  const Theory theory = Theory::open(result.run);
  EXPECT_EQ(theory.benchmark(), nullptr);
  EXPECT_FALSE(theory.info().examples.empty());
  const nlohmann::json json = result.json();
  for (const char* key : {"space", "structure", "codes", "explained", "error", "length", "transfer",
                          "primitiveness", "seconds"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_CONTAINS(testing::error_of([&] { learn(options); }), "already holds a theory");
}

TEST(Learn, APresetOfTheLayoutCanBeAskedFor) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  testing::write_moves("moves.jsonl");
  const LearnResult result =
      learn({.sources = {"moves.jsonl"}, .minutes = 0.1, .preset = "fast", .quiet = true});
  EXPECT_EQ(result.structure, "local");
  EXPECT_GT(result.score.explained, 0.9);
}

// Eight tokens of six values: y of one pair after x of another.
TEST(Learn, SaysSoWhereThereIsNoTheory) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  RngStream random(1, "unrelated");
  std::string lines;
  for (int i = 0; i < 400; ++i) {
    nlohmann::json pair;
    for (const char* side : {"x", "y"})
      for (int token = 0; token < 8; ++token) pair[side].push_back(random.below(6));
    lines += pair.dump() + "\n";
  }
  write_file_atomically("unrelated.jsonl", lines);
  const LearnResult result = learn({.sources = {"unrelated.jsonl"}, .minutes = 0.05, .quiet = true});
  EXPECT_FALSE(result.is_theory());
  EXPECT_FALSE(result.json()["theory"].get<bool>());
}

TEST(Learn, AnInterruptedRunIsContinuedByTheSameCall) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  testing::write_moves("moves.jsonl");
  const LearnOptions options{.sources = {"moves.jsonl"}, .minutes = 0.05, .quiet = true};
  const LearnResult first = learn(options);
  EXPECT_FALSE(first.continued);
  std::filesystem::remove("runs/moves/learned.json");  // as if it had been interrupted at the end
  const LearnResult again = learn(options);
  EXPECT_TRUE(again.continued);
  EXPECT_EQ(again.score.explained, first.score.explained);
  EXPECT_EQ(again.data, first.data);
}

TEST(Learn, KeepsThePairsInTheRunFolder) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  testing::write_moves("moves.jsonl");
  for (const char* run : {"runs/a", "runs/b"}) {
    const LearnResult result = learn({.sources = {"moves.jsonl"}, .run = run, .minutes = 0.02, .quiet = true});
    EXPECT_EQ(result.data, std::filesystem::path(run) / "pairs.h5");
  }
}

TEST(Signature, DifferencesNameTheRecipe) {
  const nlohmann::json known{{"a", 1.0}, {"b", 2.0}, {"c", 3.0}};
  const nlohmann::json found{{"a", 1.0005}, {"b", 2.1}, {"d", 4.0}};
  EXPECT_EQ(signature_differences(found, known),
            (std::vector<std::string>{"b was 2, is 2.1", "d is new", "c is gone"}));
}

}  // namespace
}  // namespace neo
