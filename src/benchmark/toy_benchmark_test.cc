// A benchmark is one class: the toy goes through everything that the others do.
#include "benchmark/toy_benchmark.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "benchmark/split_files.h"
#include "benchmark/testing.h"
#include "core/testing.h"

namespace neo {
namespace {
using testing::ScopedBenchmark;
using testing::TemporaryFolder;

class Toy : public ::testing::Test {
 protected:
  std::vector<MadeSplit> make(const DataRequest& request) {
    std::vector<MadeSplit> made;
    make_splits(toy_, request, folder_.path(), [&](const MadeSplit& split) { made.push_back(split); });
    return made;
  }
  const testing::ToyBenchmark toy_{};
  const ScopedBenchmark listed_{toy_};
  TemporaryFolder folder_;
};

TEST_F(Toy, IsListedWhileItLives) {
  EXPECT_EQ(find_benchmark("toy"), &toy_);
  EXPECT_EQ(benchmarks().back(), &toy_);
  EXPECT_EQ(benchmark_names().back(), "toy");
  EXPECT_TRUE(toy_.published().at("figures").empty());
  EXPECT_EQ(toy_.primitives_shown(1.0), 1.0);
  EXPECT_EQ(toy_.mean_training_length(1.0), 1.0);
}

TEST(ToyGone, IsNotListedAfterwards) {
  { const testing::ToyBenchmark toy; const ScopedBenchmark listed(toy); }
  EXPECT_EQ(find_benchmark("toy"), nullptr);
}

TEST_F(Toy, MakesSplitsThatReadBack) {
  const auto made = make({.alpha = 0.5});
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[2].path, folder_ / "comp.h5");
  PairReader reader(made[2].path);
  const PairFileInfo& info = reader.info();
  EXPECT_EQ(info.space, toy_.space());
  EXPECT_EQ(info.split, "comp");
  EXPECT_EQ(info.benchmark, "toy");
  EXPECT_EQ(info.alpha, 0.5);
  EXPECT_TRUE(info.grouped);
  EXPECT_EQ(info.pairs, 100);
  EXPECT_EQ(info.held_out, 0);
  EXPECT_EQ(info.digest, made[2].info.digest);
  for (int64_t i = 0; i < info.pairs; ++i) {
    const Pair pair = reader.pair(Part::main, i);
    EXPECT_EQ(pair.group, i / 2);
    const Program program = toy_.parse_program(pair.program);
    EXPECT_EQ(program.size(), 2u);
    EXPECT_EQ(toy_.program_text(program), pair.program);
    EXPECT_EQ(toy_.run(program, pair.x), pair.y);
  }
}

TEST_F(Toy, FileHasTheDigestOfItsEpisodes) {
  const auto made = make({.alpha = 1.0, .episodes = 3000});  // several blocks
  ASSERT_EQ(made.size(), 2u);
  PairReader reader(made[0].path);
  EXPECT_EQ(benchmark_of(reader.info()), &toy_);
  EXPECT_EQ(golden_digest(toy_, reader), made[0].golden);
  EXPECT_NE(made[0].golden, made[1].golden);
  Sha256 hash;
  for (const Episode& episode : generate_split(toy_, {.alpha = 1.0, .episodes = 3000}, "train"))
    toy_.add_to_digest(episode, hash);
  EXPECT_EQ(hash.finish_hex(), made[0].golden);
}

TEST_F(Toy, GivesSamples) {
  for (int64_t length = 1; length <= toy_.longest_sample(); ++length) {
    const Episode episode = toy_.sample(length, 5);
    EXPECT_EQ(static_cast<int64_t>(episode.program.size()), length);
    EXPECT_EQ(toy_.run(episode.program, episode.query_x), episode.query_y);
  }
}

}  // namespace
}  // namespace neo
