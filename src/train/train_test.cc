#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <ranges>

#include "core/config.h"
#include "core/error.h"
#include "core/files.h"
#include "core/run_folder.h"
#include "core/testing.h"
#include "kernels/precision.h"
#include "model/testing.h"
#include "model/weights.h"
#include "observe/pretrain.h"
#include "train/objective.h"
#include "train/presets.h"
#include "train/resets.h"
#include "train/schedule.h"
#include "train/trainer.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

TEST(Schedules, WarmUpThenHalfACosine) {
  EXPECT_DOUBLE_EQ(warmup_cosine(0, 100, 0.1, 0.1), 0.0);
  EXPECT_DOUBLE_EQ(warmup_cosine(5, 100, 0.1, 0.1), 0.5);
  EXPECT_DOUBLE_EQ(warmup_cosine(10, 100, 0.1, 0.1), 1.0);
  EXPECT_DOUBLE_EQ(warmup_cosine(55, 100, 0.1, 0.1), 0.55);
  EXPECT_NEAR(warmup_cosine(100, 100, 0.1, 0.1), 0.1, 1e-12);
}

TEST(Schedules, AHeldRateFallsOnlyAfterwards) {
  EXPECT_DOUBLE_EQ(warmup_cosine(79, 100, 0.1, 0.1, 0.8), 1.0);
  EXPECT_DOUBLE_EQ(warmup_cosine(90, 100, 0.1, 0.1, 0.8), 0.55);
}

TEST(CodeUsage, TheLeastUsedGrownUpCodeIsResetWhilePairsAreUnsolved) {
  CodeUsage usage({.every = 10, .start = 20, .age = 15, .until = 0.9}, 3);
  const auto after = [&](int64_t step, double solved) {
    usage.add({5, 4, 0}, solved);
    return usage.to_reset(step);
  };
  for (int64_t step = 1; step < 20; ++step) EXPECT_EQ(after(step, 0.5), std::nullopt);
  EXPECT_EQ(after(20, 0.5), 2);
  EXPECT_EQ(after(30, 0.5), 1);  // code 2 is ten steps old
  for (int64_t step = 31; step < 400; ++step) after(step, 1.0);
  EXPECT_EQ(after(400, 0.0), std::nullopt);  // solved once: no more resets
}

TEST(Schedules, TemperatureAndLambdaReachTheirEndsAtTheirShare) {
  EXPECT_DOUBLE_EQ(cosine_between(0, 100, 0.3, 0.1, 0.5), 0.3);
  EXPECT_DOUBLE_EQ(cosine_between(25, 100, 0.3, 0.1, 0.5), 0.2);
  EXPECT_DOUBLE_EQ(cosine_between(50, 100, 0.3, 0.1, 0.5), 0.1);
  EXPECT_DOUBLE_EQ(linear_between(5, 100, 1.01, 0.99, 0.1), 1.0);
  EXPECT_DOUBLE_EQ(linear_between(99, 100, 1.01, 0.99, 0.1), 0.99);
}

TEST(AdamW, TakesTheSameStepsAsLibTorch) {
  torch::manual_seed(2);
  const auto start = torch::randn({50});
  auto ours = start.clone().set_requires_grad(true);
  auto theirs = start.clone().set_requires_grad(true);
  AdamW optimizer({{"g", 0.01, {{"p", ours}}}}, {.clip = 1.0});
  torch::optim::AdamW reference({theirs}, torch::optim::AdamWOptions(0.01).weight_decay(0.01));
  for (int i = 0; i < 20; ++i) {
    for (auto* p : {&ours, &theirs}) {
      p->mutable_grad() = torch::Tensor();
      (p->square() * torch::arange(50)).sum().backward();
    }
    torch::nn::utils::clip_grad_norm_({theirs}, 1.0);
    reference.step();
    optimizer.step(1.0);
  }
  EXPECT_TRUE(torch::allclose(ours, theirs, 1e-5, 1e-6));
}

TEST(AdamW, AGradientThatIsNotFiniteChangesNothing) {
  auto p = torch::ones({3}).set_requires_grad(true);
  AdamW optimizer({{"g", 0.01, {{"p", p}}}}, {.clip = 1.0});
  p.mutable_grad() = torch::tensor({1.0f, std::numeric_limits<float>::infinity(), 0.0f});
  EXPECT_FALSE(std::isfinite(optimizer.step(1.0)));
  EXPECT_TRUE(torch::equal(p, torch::ones({3})));
}

TEST(Settings, ZeroCountsAndUnknownWordsAreNamed) {
  const auto error_with = [](auto&& change) {
    TrainConfig config;
    change(config);
    return testing::error_of([&] { check_settings(config); });
  };
  EXPECT_EQ(error_with([](TrainConfig&) {}), "");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.validate_every = 0; }), "validate_every is 0");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.rollout.choice = "sample"; }),
                  "one of: sampled, nearest");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.rollout.grounding_mean = "none"; }),
                  "rollout.grounding_mean is \"none\"; it must be one of: steps, length, selected");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.wake_sleep.search = "longest"; }),
                  "one of: shortest, cheapest");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.policy.search = "magic"; }), "one of: greedy, beam");
  EXPECT_CONTAINS(error_with([](TrainConfig& c) { c.policy.tolerance = -1; }), "policy.tolerance");
}

// A number without bounds, or a word without a list, would go unchecked from a weights file into an allocation.
TEST(Settings, EveryOneSaysWhatItMayBe) {
  TrainConfig train;
  PretrainConfig pretraining;
  for (const ConfigFields& fields : {ConfigFields(train), ConfigFields(pretraining)}) {
    for (const ConfigField& field : fields.list()) {
      if (field.is_table() || std::holds_alternative<bool*>(field.value)) continue;
      EXPECT_TRUE(field.allowed.is_bounded() || !field.allowed.words.empty()) << field.key;
    }
  }
}

TEST(Settings, AbsurdOnesAreRefusedInOneLine) {
  for (const char* assignment :
       {"policy.draws=0", "wake_sleep.depth=0", "wake_sleep.dream_length=0", "model.programmer.heads=0",
        "model.executor.heads=0", "model.programmer.layers=1099511627776", "rollout.steps=1000000",
        "policy.steps=1000000", "model.programmer.hidden=-3", "model.executor.hidden=-1",
        "model.quantizer.width=-16", "optimizer.rate=-1", "optimizer.rate=nan", "method=nonsense",
        "objective=nonsense", "rollout.grounding_mean=nonsense", "model.executor.kind=nonsense",
        "policy.lambda=nan", "policy.temperature=0", "batch=1099511627776"}) {
    TrainConfig config;
    const std::string message = testing::error_of([&] { set_assignment(config, assignment); });
    EXPECT_CONTAINS(message, "must be") << assignment;
    EXPECT_EQ(message.find('\n'), std::string::npos) << assignment;
  }
}

TEST(Settings, TrainingThatCannotFitSaysWhatToLower) {
  TrainConfig config;
  config.model.programmer.hidden = 8192;
  const Space grid = testing::grid_space();
  const double needed = training_memory(config, grid);
  EXPECT_GT(needed, 16.0 * 8192 * 8192);  // a square matrix, its gradient and two averages
  EXPECT_EQ(testing::error_of([&] { check_training_memory(config, grid, 2 * needed); }), "");
  EXPECT_CONTAINS(testing::error_of([&] { check_training_memory(config, grid, needed / 2); }),
                  "lower batch, model.programmer.hidden");
  config.batch = 1 << 20;
  EXPECT_GT(training_memory(config, grid), 2 * needed);
}

TEST(Settings, UnknownObjectivesAreNamed) {
  TrainConfig config;
  config.objective = "magic";
  EXPECT_CONTAINS(testing::error_of([&] { make_objective(config); }), "latent-wake-sleep");
}

TEST(GroundingLoss, AveragesInTheThreeDocumentedWays) {
  const auto d = torch::tensor({{1.0, 2.0}, {3.0, 4.0}});
  const auto lengths = torch::tensor({1, 2});
  EXPECT_FLOAT_EQ(grounding_loss(d, lengths, "steps").item<float>(), 5.0);             // 2 + 3
  EXPECT_FLOAT_EQ(grounding_loss(d, lengths, "length").item<float>(), 3.25);           // (3/1 + 7/2) / 2
  EXPECT_FLOAT_EQ(grounding_loss(d, lengths, "selected").item<float>(), 8.0f / 3.0f);  // (1 + 3 + 4) / 3
  EXPECT_THROW(grounding_loss(d, lengths, "none"), UsageError);
}

TEST(Presets, EveryPresetLoadsAndMakesSense) {
  for (const std::string family :
       {"gridworld", "arithmetic", "imaging", "grid", "sequence", "number", "image", "vector"}) {
    for (const std::string& name : preset_names(family)) {
      for (double alpha : {0.33, 0.66, 1.0}) {
        TrainConfig config;
        EXPECT_EQ(testing::error_of([&] {
                    config = load_preset(family, name, alpha);
                    check_settings(config);
                    make_objective(config);
                  }),
                  "")
            << family << " " << name;
      }
    }
  }
  for (const std::string family : {"gridworld", "arithmetic", "imaging"}) {
    EXPECT_EQ(std::ranges::count(preset_names(family), "fast"), 1);
    EXPECT_EQ(std::ranges::count(preset_names(family), "paper"), 1);
  }
}

TEST(Presets, PaperFollowsAlpha) {
  EXPECT_EQ(load_preset("gridworld", "paper", 0.33).steps, 39100);
  EXPECT_EQ(load_preset("gridworld", "paper", 0.66).steps, 19550);
  EXPECT_EQ(load_preset("gridworld", "paper", 1.0).rollout.lambda_end, 1.0);
}

TEST(Presets, OfAMethodLieOnTopOfThePlainOne) {
  EXPECT_EQ(preset_of_method("fast", "neo"), "fast");
  EXPECT_EQ(preset_of_method("fast", "cont-mono"), "fast-cont-mono");
  const TrainConfig plain = load_preset("gridworld", "fast"),
                    mono = load_preset("gridworld", "fast-cont-mono");
  EXPECT_EQ(mono.method, "cont-mono");
  EXPECT_EQ(mono.model.observation.kind, plain.model.observation.kind);
  EXPECT_EQ(mono.model.quantizer.kind, "gaussian");
}

TEST(Presets, UnknownOnesAreNamed) {
  EXPECT_NE(testing::error_of([] { load_preset("gridworld", "magic", 0.33); }).find("paper"),
            std::string::npos);
  EXPECT_THROW(load_preset("mars", "fast", 0.33), UsageError);
}

// Pairs of the four moves, up to three steps, of a few cells in the middle of the grid.
Pairs moved_grids(int64_t count) {
  const Space space = testing::grid_space();
  RngStream random(1, "moved grids");
  std::vector<Pair> pairs;
  for (int64_t i = 0; i < count; ++i) {
    const auto right = static_cast<int64_t>(random.below(3)) - 1,
               down = static_cast<int64_t>(random.below(5)) - 2;
    Pair pair{Observation(100, 0), Observation(100, 0)};
    for (int cell = 0; cell < 4; ++cell) {
      const auto row = static_cast<int64_t>(3 + random.below(4)),
                 column = static_cast<int64_t>(3 + random.below(4));
      const auto colour = static_cast<uint8_t>(1 + random.below(8));
      pair.x[static_cast<size_t>(row * 10 + column)] = colour;
      pair.y[static_cast<size_t>((row + down) * 10 + column + right)] = colour;
    }
    pairs.push_back(std::move(pair));
  }
  return to_pairs("train", space, pairs);
}

// A small run on grids, shared by the tests below.
class TrainingInAFolder : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    torch::set_num_threads(
        1);  // a forked child has none of the parent's threads, and bytes depend on their number
    folder_ = std::make_unique<testing::TemporaryFolder>();
    config_ = load_preset("gridworld", "fast", 0.33);
    torch::manual_seed(1);
    const auto observation = make_observation_model(config_.model.observation, testing::grid_space());
    pretrain(*observation, torch::randint(0, 9, {512, 100}, torch::kUInt8),
             {.steps = 200, .batch = 16, .rate = 2e-2}, 1);
    save_observation_model(*folder_ / "observation.safetensors", *observation, config_.model.observation);
    pairs_ = moved_grids(400);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static TrainRequest request(const std::string& run, int64_t steps) {
    TrainRequest r;
    r.config = config_;
    r.config.steps = steps;
    r.config.batch = 40;  // ten steps a pass
    r.config.checkpoint_every = 4;
    r.config.validate_every = 5;
    r.config.wake_sleep.memory = 3;
    r.preset = "fast";
    r.prepare_observation = [](ObservationModel& model) {
      load_observation_model(*folder_ / "observation.safetensors", model, config_.model.observation);
    };
    r.source = "400 moved grids";
    r.examples = {{testing::grid_with(5, 5), testing::grid_with(4, 5)}};
    r.run = *folder_ / run;
    r.quiet = true;
    r.validate = [](NeoImpl& model) {
      return Validation{model.parameters()[0].sum().item<double>(), {{"note", "fixed"}}};
    };
    return r;
  }
  // Kills runs of 14 steps at the validations of step 5 or 10 and resumes them at step 4 or 8.
  static void expect_resumable(const std::string& what, int64_t wake_steps) {
    const auto run_of = [&](const std::string& name) {
      TrainRequest r = request(what + name, 14);
      r.config.wake_sleep.wake_steps = wake_steps;
      return r;
    };
    train(run_of("-whole"), pairs_);
    for (const int64_t survived : {0, 1}) {
      const std::string name = fmt::format("-killed-{}", survived);
      const pid_t child = fork();
      if (child == 0) {
        TrainRequest r = run_of(name);
        int64_t validations = 0;
        r.validate = [&](NeoImpl& model) {
          if (validations++ == survived) _exit(9);  // as abrupt as kill -9: no destructor runs
          return Validation{model.parameters()[0].sum().item<double>(), {{"note", "fixed"}}};
        };
        train(r, pairs_);
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      ASSERT_EQ(WEXITSTATUS(status), 9);
      TrainRequest again = run_of(name);
      again.resume = true;
      train(again, pairs_);
      for (const std::string file : {"/metrics.jsonl", "/last.safetensors", "/best.safetensors"})
        EXPECT_TRUE(same_bytes(what + name + file, what + "-whole" + file)) << name << file;
    }
  }
  static bool same_bytes(const std::string& a, const std::string& b) {
    return read_file(*folder_ / a) == read_file(*folder_ / b);
  }
  static std::unique_ptr<testing::TemporaryFolder> folder_;
  static TrainConfig config_;
  static Pairs pairs_;
};
std::unique_ptr<testing::TemporaryFolder> TrainingInAFolder::folder_;
TrainConfig TrainingInAFolder::config_;
Pairs TrainingInAFolder::pairs_;

TEST_F(TrainingInAFolder, KilledAtAnyMomentResumesToTheSameBytes) {
  expect_resumable("both", /*wake_steps=*/0);
}

TEST_F(TrainingInAFolder, KilledAsleepResumesToTheSameBytes) { expect_resumable("phases", /*wake_steps=*/6); }

TEST_F(TrainingInAFolder, SameSeedGivesTheSameBytesAndAnotherSeedDoesNot) {
  train(request("a", 3), pairs_);
  train(request("b", 3), pairs_);
  TrainRequest other = request("c", 3);
  other.seed = 43;
  train(other, pairs_);
  EXPECT_TRUE(same_bytes("a/metrics.jsonl", "b/metrics.jsonl"));
  EXPECT_FALSE(same_bytes("a/metrics.jsonl", "c/metrics.jsonl"));
}

TEST_F(TrainingInAFolder, Bf16GivesTheSameBytesAgainAndIsRefusedWhereTheProcessorLacksIt) {
  TrainRequest rounded = request("bf16", 3), again = request("bf16-again", 3), exact = request("float32", 3);
  for (TrainRequest* r : {&rounded, &again, &exact}) r->config.objective = "rollout";  // all parts from the first step on
  rounded.config.precision = again.config.precision = "bf16";
  if (!is_possible(Precision::bf16)) {
    EXPECT_CONTAINS(testing::error_of([&] { train(rounded, pairs_); }), "--precision float32");
    return;
  }
  train(rounded, pairs_);
  train(again, pairs_);
  train(exact, pairs_);
  EXPECT_TRUE(same_bytes("bf16/metrics.jsonl", "bf16-again/metrics.jsonl"));
  EXPECT_FALSE(same_bytes("bf16/metrics.jsonl", "float32/metrics.jsonl"));
  EXPECT_EQ(read_manifest(*folder_ / "bf16").instructions, "avx512-bf16");
  EXPECT_EQ(precision(), Precision::float32);
}

TEST_F(TrainingInAFolder, ANonFiniteLossStopsWithItsStep) {
  TrainRequest r = request("diverged", 50);
  r.config.optimizer.rate = 1e30;
  EXPECT_NE(testing::error_of([&] { train(r, pairs_); }).find("step"), std::string::npos);
}

TEST_F(TrainingInAFolder, ARunThatSolvesTooLittleHoldsItsRateForAsLongAsItsPatience) {
  TrainRequest r = request("held", 6);
  r.config.optimizer.hold = 0.5;
  r.config.resets.hold_until_solved = 2.0;  // more than all pairs: never reached
  r.config.resets.patience = 4;
  train(r, pairs_);
  EXPECT_NE(read_file(*folder_ / "held/metrics.jsonl").find("\"step\":10,"), std::string::npos);
  EXPECT_EQ(read_file(*folder_ / "held/metrics.jsonl").find("\"step\":11,"), std::string::npos);
}

TEST_F(TrainingInAFolder, ARunThatHasSolvedItsPairsSkipsTheRestOfTheHeldRate) {
  TrainRequest r = request("skipped", 20);
  r.config.optimizer.hold = 0.5;
  r.config.resets.start = 4;
  r.config.resets.skip_when_solved = 0.0;  // from the first step on
  train(r, pairs_);
  EXPECT_NE(read_file(*folder_ / "skipped/metrics.jsonl").find("\"step\":14,"), std::string::npos);
  EXPECT_EQ(read_file(*folder_ / "skipped/metrics.jsonl").find("\"step\":15,"), std::string::npos);
}

TEST_F(TrainingInAFolder, AnExistingRunIsNotOverwritten) {
  train(request("kept", 1), pairs_);
  EXPECT_NE(testing::error_of([&] { train(request("kept", 1), pairs_); }).find("--resume"),
            std::string::npos);
}

TEST_F(TrainingInAFolder, LeavesATheoryThatTellsWhereItComesFromAndHowItExplains) {
  TrainRequest r = request("told", 5);
  r.config.policy.steps = 7;
  train(r, pairs_);
  for (const char* name : {"told/best.safetensors", "told/last.safetensors"}) {
    LoadedTheory theory = load_theory(*folder_ / name);
    EXPECT_EQ(theory.model->space(), testing::grid_space());
    EXPECT_EQ(theory.info.source, "400 moved grids");
    EXPECT_EQ(theory.info.preset, "fast");
    EXPECT_EQ(theory.info.benchmark, "");
    EXPECT_EQ(theory.info.step, 5);
    EXPECT_EQ(theory.info.data_digest, pairs_.digest);
    EXPECT_EQ(theory.info.policy.steps, 7);
    EXPECT_FALSE(theory.info.grouped);
    ASSERT_EQ(theory.info.examples.size(), 1u);
    EXPECT_EQ(theory.info.examples[0].x, r.examples[0].x);
  }
}

TEST_F(TrainingInAFolder, RetirementsAreMadeAndSurviveInTheTheory) {
  TrainRequest r = request("retired", 8);
  r.config.wake_sleep.wake_steps = 4;
  r.config.wake_sleep.prune = 2.0;  // more than all pairs: every code but one can go
  train(r, pairs_);
  EXPECT_EQ(load_theory(*folder_ / "retired/last.safetensors").model->quantizer().active().size(), 1u);
}

TEST_F(TrainingInAFolder, GroupedTrainingNeedsGroups) {
  TrainRequest r = request("grouped", 2);
  r.config.grouped = true;
  EXPECT_CONTAINS(testing::error_of([&] { train(r, pairs_); }), "groups");
}

TEST_F(TrainingInAFolder, TheRolloutObjectiveLearnsOnAFewPairs) {
  TrainRequest r = request("rollout", 150);
  r.config.objective = "rollout";
  r.config.rollout.grounding_mean = "steps";
  train(r, pairs_);
  std::vector<double> losses;
  for (const auto& line : read_file(*folder_ / "rollout/metrics.jsonl") | std::views::split('\n')) {
    const std::string text(line.begin(), line.end());
    if (text.find("\"loss\"") == std::string::npos) continue;
    losses.push_back(nlohmann::json::parse(text)["losses"]["reconstruction"].get<double>());
  }
  EXPECT_LT(losses.back(), 0.7 * losses.front());
}

}  // namespace
}  // namespace neo
