#include "benchmark/imaging/generator.h"

#include <gtest/gtest.h>

#include <map>

#include "benchmark/imaging/programs.h"
#include "benchmark/imaging/testing.h"
#include "benchmark/imaging/visibility.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/rng.h"
#include "core/testing.h"

namespace neo {
namespace {

using testing::TemporaryFolder;

struct Made {
  std::vector<std::string> splits;  // in the order they were opened
  std::map<std::string, int64_t> expected;
  std::map<std::string, std::vector<Episode>> episodes;
};

Made make(const DataRequest& request) {
  Made made;
  generate_imaging(
      request, [&](const std::string& split, int64_t expected) -> EpisodeSink {
        made.splits.push_back(split);
        made.expected[split] = expected;
        return [&episodes = made.episodes[split]](const Episode& episode) { episodes.push_back(episode); };
      });
  return made;
}

std::string digest(const std::vector<Episode>& episodes) {
  Sha256 hash;
  for (const Episode& episode : episodes) {
    for (const auto* image : {&episode.support_x, &episode.support_y, &episode.query_x, &episode.query_y}) {
      hash.update(*image);
    }
  }
  return hash.finish_hex();
}

void expect_sound(const std::vector<Episode>& episodes) {
  VisibleRun run;
  for (const Episode& episode : episodes) {
    EXPECT_NE(episode.support_x, episode.query_x);
    ASSERT_TRUE(run.run(episode.program, episode.support_x));
    EXPECT_EQ(run.output(), episode.support_y);
    ASSERT_TRUE(run.run(episode.program, episode.query_x));
    EXPECT_EQ(run.output(), episode.query_y);
  }
}

// 300 made-up training images and 60 for the test.
class ImagingData : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    testing::write_fake_cifar(folder_->path(), 60);
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static DataRequest request(double alpha, const std::string& profile, int64_t episodes,
                                bool fast = false) {
    return {.alpha = alpha,
            .profile = profile,
            .episodes = episodes,
            .fast_sampling = fast,
            .pictures = folder_->path()};
  }
  static std::unique_ptr<TemporaryFolder> folder_;
};
std::unique_ptr<TemporaryFolder> ImagingData::folder_;

TEST_F(ImagingData, SplitsComeInOrder) {
  EXPECT_EQ(make(request(0.33, "otib", 1)).splits, (std::vector<std::string>{"train", "id", "comp"}));
  EXPECT_EQ(make(request(1.0, "otib", 1)).splits, (std::vector<std::string>{"train", "id"}));
  EXPECT_EQ(make(request(1.0, "length", 1)).splits, (std::vector<std::string>{"length"}));
  EXPECT_EQ(make(request(1.0, "pretraining", 1)).splits,
            (std::vector<std::string>{"pretrain", "pretrain-test"}));
}

TEST_F(ImagingData, EpisodesShowTheirProgramInBothModes) {
  for (const bool fast : {false, true}) {
    Made made = make(request(0.33, "otib", 7, fast));
    EXPECT_EQ(made.episodes["train"].size(), 18U * 7);
    EXPECT_EQ(made.episodes["id"].size(), 18U * 2);
    EXPECT_EQ(made.episodes["comp"].size(), 21U * 7);
    for (const auto& [split, episodes] : made.episodes) {
      EXPECT_EQ(made.expected[split], static_cast<int64_t>(episodes.size()));
      expect_sound(episodes);
    }
  }
}

// The rule written down plainly, with whole permutations.
std::vector<Episode> plain_reference(const ImageSet& images, const ImagingPlan& plan) {
  NumpyRandom numpy(plan.exact_seed);
  std::vector<Episode> episodes;
  VisibleRun run;
  for (const Program& program : plan.programs) {
    int64_t made = 0;
    for (int64_t attempt = 0; attempt < 10 * plan.episodes && made < plan.episodes; ++attempt) {
      for (int draw = 0; draw < plan.draws; ++draw) {
        const auto order = numpy.permutation(images.count());
        const ObservationView a = images.image(order[0]);
        const ObservationView b = images.image(order[1]);
        if (!run.run(program, a)) continue;
        const Observation support_y = run.output();
        if (!run.run(program, b)) continue;
        episodes.push_back({{a.begin(), a.end()}, support_y, {b.begin(), b.end()}, run.output(), program});
        ++made;
        break;
      }
    }
  }
  return episodes;
}

TEST_F(ImagingData, ExactModeIsThePlainRule) {
  const ImageSet train = load_cifar10_train(folder_->path());
  const ImageSet test = load_cifar10_test(folder_->path());
  for (const auto& wanted : {request(0.66, "otib", 20), request(1.0, "otib", 5), request(1.0, "length", 3)}) {
    Made made = make(wanted);
    for (const ImagingPlan& plan : plan_imaging(wanted)) {
      const auto expected = plain_reference(plan.test_images ? test : train, plan);
      EXPECT_EQ(made.episodes[plan.split].size(), expected.size()) << plan.split;
      EXPECT_EQ(digest(made.episodes[plan.split]), digest(expected)) << plan.split;
    }
  }
}

TEST_F(ImagingData, LengthProfileFallsShortWhereEditsRarelyShow) {
  Made made = make(request(1.0, "length", 3));
  EXPECT_EQ(made.expected["length"], 231 * 3);
  EXPECT_LT(made.episodes["length"].size(), 231U * 3);
  EXPECT_GT(made.episodes["length"].size(), 231U);
}

TEST_F(ImagingData, FastModeDependsOnTheSeedNotOnTheThreads) {
  const ImageSet images = load_cifar10_train(folder_->path());
  const ImagingPlan plan{.split = "train", .programs = imaging_programs(1, 1), .episodes = 300};
  const auto sample = [&](uint64_t seed, int threads) {
    std::vector<Episode> episodes;
    sample_fast(images, plan, seed, threads, [&](const Episode& episode) { episodes.push_back(episode); });
    EXPECT_EQ(episodes.size(), 8U * 300);
    return digest(episodes);
  };
  const std::string one = sample(42, 1);
  EXPECT_EQ(sample(42, 2), one);
  EXPECT_EQ(sample(42, 7), one);
  EXPECT_NE(sample(43, 2), one);
}

TEST_F(ImagingData, FastModeEndsWhereNothingShows) {
  const ImageSet grey{.pixels = std::vector<uint8_t>(ImageSet::kImageBytes * 4, 128)};
  const ImagingPlan plan{.split = "train", .programs = imaging_programs(1, 1), .episodes = 2};
  int64_t made = 0;
  sample_fast(grey, plan, 1, 2, [&](const Episode&) { ++made; });
  EXPECT_EQ(made, 4);  // only both brightness edits show, on grey
}

TEST_F(ImagingData, AFailingSinkStopsTheWork) {
  for (const bool fast : {false, true}) {
    int64_t seen = 0;
    const OpenSplit open = [&](const std::string&, int64_t) -> EpisodeSink {
      return [&](const Episode&) {
        if (++seen == 10) fail("disk full");
      };
    };
    EXPECT_THROW(generate_imaging(request(0.33, "otib", 1000, fast), open), Error);
    EXPECT_EQ(seen, 10);
  }
}

TEST_F(ImagingData, BadRequestsAndMissingImagesAreRefusedBeforeASplitIsOpened) {
  const OpenSplit open = [](const std::string&, int64_t) -> EpisodeSink {
    ADD_FAILURE() << "opened a split";
    return [](const Episode&) {};
  };
  EXPECT_THROW(generate_imaging(request(1.0, "exam", 0), open), UsageError);
  EXPECT_THROW(generate_imaging(request(1.5, "otib", 0), open), UsageError);
  EXPECT_THROW(generate_imaging(request(1.0, "otib", -1), open), UsageError);
  EXPECT_THROW(generate_imaging(request(1.0, "otib", INT64_MAX), open), UsageError);
  EXPECT_THROW(generate_imaging({.pictures = "/nowhere"}, open), Error);
}

TEST(ImagingPlan, HasThePapersNumbersAndSeeds) {
  const auto numbers = [](double alpha, const std::string& profile) {
    std::vector<std::vector<int64_t>> rows;
    for (const auto& plan : plan_imaging({.alpha = alpha, .profile = profile})) {
      rows.push_back(
          {static_cast<int64_t>(plan.programs.size()), plan.episodes, plan.exact_seed, plan.draws});
    }
    return rows;
  };
  using Rows = std::vector<std::vector<int64_t>>;
  EXPECT_EQ(numbers(1.0, "otib"), (Rows{{39, 15000, 42, 100}, {39, 3000, 43, 100}}));
  EXPECT_EQ(numbers(0.66, "otib"), (Rows{{28, 20000, 43, 100}, {28, 4000, 44, 100}, {11, 20000, 143, 100}}));
  EXPECT_EQ(numbers(0.33, "otib"), (Rows{{18, 20000, 43, 100}, {18, 4000, 44, 100}, {21, 20000, 143, 100}}));
  EXPECT_EQ(numbers(1.0, "length"), (Rows{{231, 1000, 42, 1}}));
}

// On the real images; the digests are those of the same rule run with NumPy and Pillow.
class RealImagingData : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto cifar = testing::real_cifar();
    if (!cifar) GTEST_SKIP() << "CIFAR-10 is not here; set NEO_CIFAR10";
    cifar_ = *cifar;
  }
  std::map<std::string, std::string> digests(double alpha, const std::string& profile, int64_t episodes) {
    std::map<std::string, std::string> result;
    Made made = make({.alpha = alpha, .profile = profile, .episodes = episodes, .pictures = cifar_});
    for (const auto& [split, list] : made.episodes) result[split] = digest(list);
    return result;
  }
  std::filesystem::path cifar_;
};

TEST_F(RealImagingData, FirstEpisodesHaveTheGoldenDigests) {
  using Digests = std::map<std::string, std::string>;
  EXPECT_EQ(digests(0.33, "otib", 10),
            (Digests{{"train", "fd4d1f736857d1b124a611be336bd193a4ef779bb620e63f291e80d78a264953"},
                     {"id", "2d878f4ac0250955a0c61d7fdd872d2c4fddf5a341acdb4696b434eb90f0d966"},
                     {"comp", "48db9c1f667266aab1c381b4cc44d502482268942a81e575bd437a869d92b0df"}}));
  EXPECT_EQ(digests(0.66, "otib", 10),
            (Digests{{"train", "93b5760c5d120dc8dd73a0647ac2819b5555b668b7c2b5cf94d5da36cfb596f6"},
                     {"id", "7573946d84275eaed0354e48eeb177ddaae0229fb69cce2fc2996312abff6aff"},
                     {"comp", "c38ce70821b11e06801bb3976236f4ee727ba413f4a131eb018abcccea422132"}}));
  EXPECT_EQ(digests(1.0, "otib", 10),
            (Digests{{"train", "8a7e2b318bd28ee00801fcf87958feaea17e0751eaa88ea7f94a220f8b64bcb4"},
                     {"id", "514a86af99d66f0153afeb51794403eec73d83389d7822800331c2bd25b399bc"}}));
  EXPECT_EQ(digests(1.0, "length", 1),
            (Digests{{"length", "c7584466a796c88b3e8bd1e73ce34e928885be2aaf0359d19e9a506c2f135fec"}}));
}

TEST(SlowImagingData, LengthOodKeepsThePublishedNumberOfEpisodes) {
  const auto cifar = testing::real_cifar();
  if (!cifar) GTEST_SKIP() << "CIFAR-10 is not here; set NEO_CIFAR10";
  int64_t kept = 0;
  generate_imaging({.profile = "length", .pictures = *cifar},
                   [&](const std::string&, int64_t) -> EpisodeSink {
                     return [&](const Episode&) { ++kept; };
                   });
  EXPECT_EQ(kept, 196'943);
}

}  // namespace
}  // namespace neo
