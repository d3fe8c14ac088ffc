// The benchmark's data against the digests and counts that the official generators give.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "benchmark/arithmetic/arithmetic.h"
#include "benchmark/arithmetic/programs.h"
#include "benchmark/gridworld/gridworld.h"
#include "benchmark/gridworld/programs.h"
#include "benchmark/gridworld/shape_pool.h"
#include "core/error.h"

namespace neo {
namespace {

struct SplitSummary {
  int64_t episodes = 0;
  std::string first_thousand, all;
};

std::map<std::string, SplitSummary> summarise(const Benchmark& benchmark, const DataRequest& request) {
  struct Running {
    Sha256 first, all;
    int64_t episodes = 0;
  };
  std::map<std::string, Running> running;
  benchmark.generate(request, [&](const std::string& split, int64_t) -> EpisodeSink {
    return [&benchmark, &entry = running[split]](const Episode& episode) {
      if (entry.episodes++ < 1000) benchmark.add_to_digest(episode, entry.first);
      benchmark.add_to_digest(episode, entry.all);
    };
  });
  std::map<std::string, SplitSummary> summaries;
  for (auto& [split, entry] : running)
    summaries[split] = {entry.episodes, entry.first.finish_hex(), entry.all.finish_hex()};
  return summaries;
}

std::string letters(const std::vector<Program>& programs) {
  std::string text;
  for (const Program& program : programs) {
    if (!text.empty()) text += ' ';
    for (int move : program) text += "URDL"[move];
  }
  return text;
}

TEST(GridPrograms, LengthsOneToThreeAreTwentyFourDisplacements) {
  EXPECT_EQ(letters(canonical_grid_programs(1, 3)),
            "D L R U DD DL DR LL LU RR RU UU DDD DDL DDR DLL DRR LLL LLU LUU RRR RRU RUU UUU");
}

TEST(GridPrograms, LengthsFourToEightAreTheReleasesHundredAndTwentyTwo) {
  const auto programs = canonical_grid_programs(4, 8);
  EXPECT_EQ(programs.size(), 122u);
  const std::string text = " " + letters(programs) + " ";
  EXPECT_NE(text.find(" DDDDDDDU "), std::string::npos);
  EXPECT_NE(text.find(" UUUUUUUD "), std::string::npos);
}

TEST(GridPrograms, AlphaSplitHoldsOutTheBenchmarksPrograms) {
  EXPECT_EQ(letters(split_grid_programs(0.33).held_out), "D L R LL RR RU UU DDR DLL LLU LUU RRU RUU");
  EXPECT_EQ(letters(split_grid_programs(0.66).held_out), "L LL RU DDR DLL RUU");
  EXPECT_TRUE(split_grid_programs(1.0).held_out.empty());
  EXPECT_EQ(letters(split_grid_programs(0.0).train), "DDD LLL RRR UUU");
}

TEST(ShapePool, HasAThousandDistinctConnectedShapes) {
  EXPECT_EQ(shape_pool().size(), 1000u);
  EXPECT_TRUE(std::is_sorted(shape_pool().begin(), shape_pool().end(), [](const Shape& a, const Shape& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  }));
  EXPECT_EQ(std::adjacent_find(shape_pool().begin(), shape_pool().end()), shape_pool().end());
}

TEST(GridData, AlphaThirdHasTheGoldenDigests) {
  auto splits = summarise(gridworld(), {.alpha = 0.33});
  EXPECT_EQ(splits["train"].first_thousand,
            "48077096de9e2874c26a271e9ca43862b524527f294d90f122926ae65dc85bc7");
  EXPECT_EQ(splits["train"].all, "b10c6195677bbb6aefb839bc1b973438b04dfa3650caf40d4403e1d70037d07e");
  EXPECT_EQ(splits["id"].all, "b3aa682124b3bbdeeb1e33c3dec5326dcb9d58062b7d2d000de49da436ae2bb9");
  EXPECT_EQ(splits["train"].episodes, 50000);
  EXPECT_EQ(splits["id"].episodes, 5000);
  EXPECT_EQ(splits["comp"].episodes, 5000);
}

TEST(GridData, AlphaOneHasTheGoldenDigestAndNoCompositionalSplit) {
  auto splits = summarise(gridworld(), {.alpha = 1.0});
  EXPECT_EQ(splits["train"].first_thousand,
            "55be5046dc6f08c76b43f17041c00b32fb07ebaaef495c70bf163c33c3511e4e");
  EXPECT_EQ(splits.count("comp"), 0u);
}

// The pairs of each split, as text.
std::map<std::string, std::set<std::string>> pairs_of_splits(const DataRequest& request) {
  std::map<std::string, std::set<std::string>> pairs;
  gridworld().generate(request, [&](const std::string& split, int64_t) -> EpisodeSink {
    return [&into = pairs[split]](const Episode& e) {
      for (const auto& [x, y] : {std::pair(e.support_x, e.support_y), std::pair(e.query_x, e.query_y)})
        into.insert(std::string(x.begin(), x.end()) + std::string(y.begin(), y.end()));
    };
  });
  return pairs;
}

int64_t shared(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::count_if(a, [&](const std::string& pair) { return b.contains(pair); });
}

TEST(SlowGridData, OnlyTheCleanSplitOfAlphaOneKeepsClearOfPretraining) {
  auto alpha_one = pairs_of_splits({.alpha = 1.0});
  auto pretraining = pairs_of_splits({.profile = "pretraining"});
  const auto& seen = pretraining["pretrain"];
  EXPECT_EQ(alpha_one["id-clean"].size(), 10000u);
  EXPECT_EQ(shared(alpha_one["id-clean"], seen), 0);
  EXPECT_EQ(shared(alpha_one["id-clean"], pretraining["pretrain-test"]), 0);
  EXPECT_EQ(shared(alpha_one["id-clean"], alpha_one["train"]), 0);
  EXPECT_EQ(shared(alpha_one["id"], seen), 10000);  // the benchmark's leak
}

TEST(GridData, LengthProfileHasTenThousandEpisodes) {
  EXPECT_EQ(summarise(gridworld(), {.profile = "length"})["length"].episodes, 10000);
}

TEST(GridData, AskingForFewerEpisodesKeepsTheFirstOnes) {
  auto splits = summarise(gridworld(), {.alpha = 0.33, .episodes = 1000});
  EXPECT_EQ(splits["train"].all, "48077096de9e2874c26a271e9ca43862b524527f294d90f122926ae65dc85bc7");
  auto full = summarise(gridworld(), {.alpha = 0.33});
  EXPECT_EQ(splits["id"].all, full["id"].first_thousand);
}

TEST(ArithmeticData, AlphaOneHasTheGoldenDigest) {
  auto splits = summarise(arithmetic(), {.alpha = 1.0});
  EXPECT_EQ(splits["train"].all, "154c13d1079eaa208d2f72c9b7ff13f6c4ad4a24084d9952956c8f3dbe6768a4");
  EXPECT_EQ(splits["train"].episodes, 279611);
  EXPECT_EQ(splits["id"].episodes, 27961);
}

TEST(ArithmeticData, CountsPerSplitMatchTheRelease) {
  auto third = summarise(arithmetic(), {.alpha = 0.33});
  EXPECT_EQ(third["train"].episodes, 146606);
  EXPECT_EQ(third["id"].episodes, 14660);
  EXPECT_EQ(third["comp"].episodes, 146306);
  auto two_thirds = summarise(arithmetic(), {.alpha = 0.66});
  EXPECT_EQ(two_thirds["train"].episodes, 206520);
  EXPECT_EQ(two_thirds["id"].episodes, 20651);
  EXPECT_EQ(two_thirds["comp"].episodes, 80401);
  EXPECT_EQ(summarise(arithmetic(), {.profile = "length"})["length"].episodes, 15318);
}

TEST(ArithmeticPrograms, AnyAlphaKeepsTheTriplePowers) {
  for (double alpha : {0.0, 0.2, 0.5, 0.9}) {
    for (const Program& program : held_out_arithmetic_programs(alpha)) {
      EXPECT_FALSE(program.size() == 3 && program[0] == program[2]) << "alpha " << alpha;
    }
  }
  EXPECT_EQ(held_out_arithmetic_programs(0.0).size(), 30u);
  EXPECT_TRUE(held_out_arithmetic_programs(1.0).empty());
}

TEST(ArithmeticData, PretrainingHoldsEveryFourDigitNumberOnce) {
  std::map<int64_t, int> seen;
  arithmetic().generate({.profile = "pretraining"}, [&](const std::string& split, int64_t) -> EpisodeSink {
    if (split != "pretrain") return {};
    return [&](const Episode& e) {
      for (const auto* o : {&e.support_x, &e.support_y, &e.query_x, &e.query_y}) ++seen[digits_to_number(*o)];
    };
  });
  EXPECT_EQ(seen.size(), 10000u);
  EXPECT_EQ(seen.rbegin()->first, 9999);
}

TEST(Generate, RefusesWhatMakesNoSense) {
  const OpenSplit open = [](const std::string&, int64_t) -> EpisodeSink {
    ADD_FAILURE() << "opened a split";
    return {};
  };
  for (const Benchmark* benchmark : benchmarks()) {
    EXPECT_THROW(benchmark->generate({.alpha = 1.5}, open), UsageError);
    EXPECT_THROW(benchmark->generate({.alpha = std::nan("")}, open), UsageError);
    EXPECT_THROW(benchmark->generate({.profile = "exam"}, open), UsageError);
    EXPECT_THROW(benchmark->generate({.episodes = -1}, open), UsageError);
  }
}

TEST(Generate, AnUnwantedSplitIsLeftOut) {
  std::vector<std::string> opened;
  for (const Benchmark* benchmark : {&gridworld(), &arithmetic()}) {
    for (const char* profile : {"otib", "length", "pretraining"}) {
      benchmark->generate({.profile = profile, .episodes = 1},
                          [&](const std::string& split, int64_t) -> EpisodeSink {
                            opened.push_back(split);
                            return {};
                          });
    }
  }
  EXPECT_EQ(opened,
            (std::vector<std::string>{"train", "id", "id-clean", "length", "pretrain", "pretrain-test",  //
                                      "train", "id", "length", "pretrain", "pretrain-test"}));
}

}  // namespace
}  // namespace neo
