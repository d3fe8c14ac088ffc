#include "neo/learn.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/rng.h"
#include "data/import.h"
#include "neo/signature.h"
#include "neo/testing.h"
#include "neo/training.h"

namespace neo {
namespace {

TEST(Learn, GoesFromAFileToANamedVocabulary) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  testing::write_moves("moves.jsonl");
  LearnOptions options{.sources = {"moves.jsonl"}, .minutes = 0.1, .quiet = true};
  const LearnResult result = learn(options);
  EXPECT_EQ(result.run, std::filesystem::path("runs/moves"));
  EXPECT_EQ(result.structure, "discovered");
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

// 400 pairs of `size` values each, all of them drawn alone.
void write_unrelated(const std::filesystem::path& path, int size, const auto& draw) {
  RngStream random(1, "unrelated");
  std::string lines;
  for (int i = 0; i < 400; ++i) {
    nlohmann::json pair;
    for (const char* side : {"x", "y"})
      for (int k = 0; k < size; ++k) pair[side].push_back(draw(random));
    lines += pair.dump() + "\n";
  }
  write_file_atomically(path, lines);
}

TEST(Learn, SaysSoWhereThereIsNoTheory) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_unrelated("unrelated.jsonl", 8, [](RngStream& random) { return random.below(6); });
  const LearnResult result = learn({.sources = {"unrelated.jsonl"}, .minutes = 0.05, .quiet = true});
  EXPECT_FALSE(result.is_theory());
  EXPECT_FALSE(result.json()["theory"].get<bool>());
}

TEST(Learn, UnrelatedNumbersAreNoTheory) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_unrelated("unrelated.jsonl", 4, [](RngStream& random) { return 4 * random.uniform() - 2; });
  const LearnResult result = learn({.sources = {"unrelated.jsonl"}, .minutes = 0.1, .quiet = true});
  EXPECT_FALSE(result.is_theory());
}

// One of two coordinates grows or shrinks by 0.5, or both do one after the other.
std::string steps_of_two_numbers() {
  RngStream random(4, "steps");
  std::string lines;
  for (int i = 0; i < 800; ++i) {
    std::vector<double> x{4 * random.uniform() - 2, 4 * random.uniform() - 2}, y = x;
    for (int k = 0; k <= i % 2; ++k) y[random.below(2)] += random.below(2) == 0 ? 0.5 : -0.5;
    lines += nlohmann::json{{"x", x}, {"y", y}}.dump() + "\n";
  }
  return lines;
}

TEST(Learn, FindsAsManyCodesOfNumbersAsThereAreOperations) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_file_atomically("steps.jsonl", steps_of_two_numbers());
  const LearnResult result = learn({.sources = {"steps.jsonl"}, .minutes = 0.1, .quiet = true});
  EXPECT_TRUE(result.is_theory());
  EXPECT_EQ(result.inspection.codes.size(), 4u);
  EXPECT_GT(result.score.explained, 0.95);
  ASSERT_EQ(result.trials.size(), 2u);
  EXPECT_EQ(result.trials[1].structure, "consensus");
  EXPECT_EQ(Theory::open(result.run).codes(), 4);
}

// Of every ten pairs four follow a rule that moves tokens, and six none.
TEST(Learn, KeepsWhatCountingFoundWhereTrainingExplainsLess) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  RngStream random(2, "some related");
  std::string lines;
  for (int i = 0; i < 500; ++i) {
    std::vector<uint64_t> x(12), y(12);
    for (uint64_t& token : x) token = random.below(8);
    for (size_t at = 0; at < 12; ++at) y[at] = i % 10 < 4 ? x[(5 * at + 2) % 12] : random.below(8);
    lines += nlohmann::json{{"x", x}, {"y", y}}.dump() + "\n";
  }
  write_file_atomically("some.jsonl", lines);
  const LearnResult result = learn({.sources = {"some.jsonl"}, .minutes = 0.05, .quiet = true});
  EXPECT_EQ(result.structure, "discovered");
  ASSERT_EQ(result.trials.size(), 3u);  // none, counting, and what was trained instead
  EXPECT_LT(result.trials[1].bits, result.trials[2].bits);
  EXPECT_NEAR(result.score.explained, 0.4, 0.15);
  EXPECT_EQ(Theory::open(result.run).model().config().executor.kind, "discovered");
}

// 36 cells of four values, their rows reversed or moved up by one; of every y `wrong` cells are something else.
std::string noisy_pairs(int wrong) {
  RngStream random(3, "noisy pairs");
  std::string lines;
  for (int i = 0; i < 600; ++i) {
    nlohmann::json x, y;
    std::vector<uint64_t> cells(36);
    for (uint64_t& cell : cells) cell = random.below(4);
    std::vector<uint64_t> after(36);
    for (size_t at = 0; at < 36; ++at) after[at] = cells[i % 2 == 0 ? at / 6 * 6 + 5 - at % 6 : (at + 6) % 36];
    for (int k = 0; k < wrong; ++k) {
      uint64_t& cell = after[random.below(36)];
      cell = (cell + 1 + random.below(3)) % 4;
    }
    for (size_t row = 0; row < 6; ++row) {
      x.push_back(std::vector<uint64_t>(cells.begin() + 6 * row, cells.begin() + 6 * row + 6));
      y.push_back(std::vector<uint64_t>(after.begin() + 6 * row, after.begin() + 6 * row + 6));
    }
    lines += nlohmann::json{{"x", x}, {"y", y}}.dump() + "\n";
  }
  return lines;
}

TEST(Learn, WhereNoiseWasFoundSoManyWrongCellsAreTolerated) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_file_atomically("noisy.jsonl", noisy_pairs(2));
  const LearnResult result = learn({.sources = {"noisy.jsonl"}, .minutes = 0.05, .quiet = true});
  const Theory theory = Theory::open(result.run);
  const int64_t noise = theory.model().config().executor.noise;
  ASSERT_GT(noise, 1);
  EXPECT_GT(result.score.explained, 0.9);
  const Observation x = theory.info().examples.at(0).x;
  const Observation clean = theory.run({0}, x).trace.back();
  const auto explains = [&](int64_t wrong) {
    Observation y = clean;
    for (size_t cell = 0; cell < static_cast<size_t>(wrong); ++cell) y[cell] = static_cast<uint8_t>((y[cell] + 1) % 4);
    return theory.run({0}, x, &y).explained;
  };
  EXPECT_TRUE(explains(0));
  EXPECT_TRUE(explains(noise));
  EXPECT_FALSE(explains(noise + 3));
}

TEST(Learn, WithoutNoiseNothingIsTolerated) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_file_atomically("clean.jsonl", noisy_pairs(0));
  const LearnResult result = learn({.sources = {"clean.jsonl"}, .minutes = 0.02, .quiet = true});
  EXPECT_EQ(Theory::open(result.run).policy().tolerance, 0.0);
}

TEST(Training, ADiscoveredExecutorHasTheSizesThatCountingFinds) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_file_atomically("clean.jsonl", noisy_pairs(0));
  ImportOptions import;
  import.sources = {"clean.jsonl"};
  import.out = "clean.h5";
  import.is_quiet = true;
  import_pairs(import);
  TrainingOptions options{.data = "clean.h5", .steps = 2, .settings = {"model.executor.kind=discovered", "batch=32"},
                          .run = "run", .quiet = true};
  const TrainConfig config = prepare_training(options).request.config;
  EXPECT_EQ(config.model.executor.values, 4);
  EXPECT_EQ(config.model.executor.noise, 0);
  EXPECT_EQ(config.model.quantizer.codes, 2);
  EXPECT_EQ(config.batch, 32);
  EXPECT_EQ(config.steps, 2);
  EXPECT_EQ(Theory::open(run_training(options)).codes(), 2);
}

// 200 steps, fewer than the phase that telling maps apart by consensus replaces.
TEST(Training, MapsFoundByConsensusTakeAShortScheduleAsItIs) {
  testing::TemporaryFolder folder;
  const testing::InFolder inside(folder.path());
  write_file_atomically("steps.jsonl", steps_of_two_numbers());
  import_pairs({.sources = {"steps.jsonl"}, .out = "steps.h5", .is_quiet = true});
  const PreparedTraining prepared =
      prepare_training({.data = "steps.h5", .seed = 42, .steps = 200, .run = "run", .quiet = true});
  EXPECT_EQ(prepared.request.config.steps, 200);
  EXPECT_EQ(prepared.request.config.model.quantizer.codes, 4);
  EXPECT_EQ(prepared.request.config.latent_wake_sleep.coarse_share, 0);
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
