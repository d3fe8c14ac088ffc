#include "benchmark/benchmark.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "benchmark/arithmetic/arithmetic.h"
#include "benchmark/gridworld/gridworld.h"
#include "benchmark/imaging/imaging.h"
#include "core/testing.h"

namespace neo {
namespace {
using testing::error_of;

TEST(Benchmarks, AreFoundByName) {
  for (const Benchmark* benchmark : benchmarks()) {
    EXPECT_EQ(find_benchmark(benchmark->name()), benchmark);
    EXPECT_EQ(&benchmark_named(benchmark->name()), benchmark);
  }
  EXPECT_EQ(find_benchmark("chess"), nullptr);
  EXPECT_THROW(benchmark_named("chess"), UsageError);
  EXPECT_CONTAINS(error_of([] { benchmark_named("chess"); }), "gridworld, arithmetic, imaging");
}

TEST(Benchmarks, DescribeTheirObservations) {
  for (const Benchmark* benchmark : benchmarks()) {
    EXPECT_EQ(error_of([&] { check_space(benchmark->space(), "test"); }), "");
    RngStream random(1, "test");
    EXPECT_EQ(static_cast<int64_t>(benchmark->sample_input(random).size()), benchmark->space().bytes());
  }
  EXPECT_EQ(describe(gridworld().space()), "10x10 grid of 9 values");
  EXPECT_EQ(arithmetic().space().layout, Layout::number);
  EXPECT_EQ(imaging().space().kind, Kind::pixels);
}

TEST(Benchmarks, SplitsAndStepsAreThePapers) {
  using Names = std::vector<std::string>;
  for (const Benchmark* benchmark : benchmarks()) {
    EXPECT_EQ(benchmark->splits(0.33), (Names{"id", "comp", "length"}));
    EXPECT_EQ(benchmark->protocol("id").steps, benchmark->protocol("comp").steps);
    EXPECT_FALSE(benchmark->protocol("id").lambda);
  }
  EXPECT_EQ(gridworld().splits(1.0), (Names{"id", "id-clean", "length"}));
  EXPECT_EQ(arithmetic().splits(1.0), (Names{"id", "length"}));
  EXPECT_EQ(imaging().splits(1.0), (Names{"id", "length"}));
  EXPECT_EQ(gridworld().protocol("id-clean").steps, 4);
  EXPECT_EQ(gridworld().protocol("length").steps, 10);
  EXPECT_EQ(arithmetic().protocol("id").steps, 3);
  EXPECT_EQ(arithmetic().protocol("length").steps, 6);
  EXPECT_EQ(imaging().protocol("length").steps, 6);
  EXPECT_EQ(imaging().protocol("length").lambda, 1.0);
  EXPECT_FALSE(gridworld().protocol("length").lambda);
}

TEST(Benchmarks, OnlyTheirOwnPrimitivesAreRead) {
  EXPECT_EQ(gridworld().parse_program(" move_up  move_left"), (Program{kUp, kLeft}));
  EXPECT_CONTAINS(error_of([] { gridworld().parse_program("move_up *2"); }), "no primitive called '*2'");
}

TEST(Benchmarks, FetchOnlyWhatTheyKnow) {
  EXPECT_EQ(fetchable_names(), std::vector<std::string>{"cifar10"});
  EXPECT_THROW(fetch_data("mnist"), UsageError);
  EXPECT_CONTAINS(error_of([] { fetch_data("mnist"); }), "there is: cifar10");
  EXPECT_THROW(gridworld().fetch("cifar10", "/nowhere"), UsageError);
}

TEST(Benchmarks, PublishedFiguresHaveNoBenchmarkOrSplitOfAnother) {
  for (const Benchmark* benchmark : benchmarks()) {
    const auto& published = benchmark->published();
    for (const char* part : {"figures", "ablations", "cost"}) ASSERT_TRUE(published.at(part).is_array());
    ASSERT_FALSE(published.at("figures").empty());
    for (const auto& row : published.at("figures")) {
      EXPECT_FALSE(row.contains("world"));
      for (const std::string& split : benchmark->splits(row.at("alpha"))) {
        if (split == "id-clean") continue;  // ours
        EXPECT_EQ(row.at(split).size(), 2u) << row.dump();
      }
    }
    for (const auto& row : published.at("cost")) EXPECT_EQ(row.at("batch"), benchmark->paper_batch());
    std::set<std::string> names;
    for (const Ablation& ablation : benchmark->ablations()) names.insert(ablation.name);
    for (const auto& row : published.at("ablations")) EXPECT_TRUE(names.contains(row.at("ablation")));
  }
}

TEST(Benchmarks, TrainingProgramsOfGridWorldHaveTheirMeanLength) {
  // UUU DDD LLL RRR, U LU DL DR DD DDL DRR: 27 moves in 11 programs.
  EXPECT_NEAR(*gridworld().mean_training_length(0.33), 27.0 / 11.0, 1e-12);
  EXPECT_FALSE(arithmetic().mean_training_length(0.33));
}

TEST(Samples, OneProgramMakesBothPairs) {
  for (const Benchmark* benchmark : benchmarks()) {
    for (int64_t length = 1; length <= benchmark->longest_sample(); ++length) {
      const Episode e = benchmark->sample(length, /*seed=*/7);
      EXPECT_EQ(static_cast<int64_t>(e.program.size()), length) << benchmark->name();
      EXPECT_EQ(benchmark->run(e.program, e.support_x), e.support_y);
      EXPECT_EQ(benchmark->run(e.program, e.query_x), e.query_y);
      EXPECT_NE(e.support_x, e.query_x);
    }
  }
}

// Permalinks of the explorer name a seed: what it draws may not change.
TEST(Samples, AreWhatTheyAlwaysWere) {
  const auto digest = [](const Benchmark& benchmark) {
    Sha256 hash;
    for (int64_t length = 1; length <= benchmark.longest_sample(); ++length) {
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const Episode e = benchmark.sample(length, seed);
        for (const auto* o : {&e.support_x, &e.support_y, &e.query_x, &e.query_y}) hash.update(*o);
        hash.update(benchmark.program_text(e.program));
      }
    }
    return hash.finish_hex();
  };
  EXPECT_EQ(digest(gridworld()), "68152022e9a2a82e69d82ecf162a8ff3e2761b5315d424760749a07c7870810e");
  EXPECT_EQ(digest(arithmetic()), "93107e31d82df39f3bcd26e20f00dd780275228436cea427f624a80d4dd93aff");
}

TEST(Samples, TheSeedDecides) {
  for (const Benchmark* benchmark : benchmarks()) {
    EXPECT_EQ(benchmark->sample(2, 1).support_x, benchmark->sample(2, 1).support_x);
    EXPECT_NE(benchmark->sample(2, 1).support_x, benchmark->sample(2, 2).support_x);
  }
}

}  // namespace
}  // namespace neo
