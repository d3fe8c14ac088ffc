#include "benchmark/split_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "benchmark/arithmetic/arithmetic.h"
#include "benchmark/gridworld/gridworld.h"
#include "benchmark/imaging/imaging.h"
#include "core/testing.h"
#include "data/h5.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using testing::error_of;
using testing::TemporaryFolder;

TEST(SplitFiles, LieWhereCommandsLookForThem) {
  EXPECT_EQ(split_path(gridworld(), 0.33, "train"), "data/gridworld-alpha0.33/train.h5");
  EXPECT_EQ(split_path(arithmetic(), 0.33, "length"), "data/arithmetic-length/length.h5");
  EXPECT_EQ(split_path(imaging(), 1.0, "pretrain-test"), "data/imaging-pretraining/pretrain-test.h5");
}

TEST(SplitFiles, HoldTheGoldenEpisodes) {
  TemporaryFolder folder;
  std::vector<MadeSplit> made;
  make_splits(gridworld(), {.alpha = 0.33, .episodes = 1000}, folder.path(),
              [&](const MadeSplit& split) { made.push_back(split); });
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].golden, "48077096de9e2874c26a271e9ca43862b524527f294d90f122926ae65dc85bc7");
  PairReader reader(made[0].path);
  EXPECT_EQ(reader.info().space, gridworld().space());
  EXPECT_EQ(reader.info().pairs, 2000);
  EXPECT_EQ(reader.info().programs.size(), 11u);
  EXPECT_EQ(golden_digest(gridworld(), reader), made[0].golden);
}

TEST(SplitFiles, PretrainingPairsHaveNoProgram) {
  TemporaryFolder folder;
  make_splits(arithmetic(), {.profile = "pretraining"}, folder.path(), [](const MadeSplit&) {});
  PairReader reader(folder / "pretrain.h5");
  EXPECT_EQ(reader.info().pairs, 5000);
  EXPECT_TRUE(reader.info().programs.empty());
  EXPECT_EQ(digits_to_number(reader.pair(Part::main, 4999).y), 9999);
}

TEST(SplitFiles, PairsThatAreNoEpisodesAreRefused) {
  TemporaryFolder folder;
  const auto write = [&](const std::vector<int32_t>& groups) {
    PairWriter writer(folder / "pairs.h5", {.space = arithmetic().space(), .grouped = true});
    for (int32_t group : groups) writer.add({number_to_digits(2), number_to_digits(4), group, "*2"});
    writer.finish();
    PairReader reader(folder / "pairs.h5");
    EXPECT_EQ(benchmark_of(reader.info()), nullptr);  // a user's own
    return error_of([&] { golden_digest(arithmetic(), reader); });
  };
  EXPECT_EQ(write({7, 7, 3, 3}), "");
  EXPECT_CONTAINS(write({0, 0, 1}), "odd number");
  EXPECT_CONTAINS(write({0, 1}), "pairs 0 and 1 are no episode");
  EXPECT_CONTAINS(write({-1, -1}), "are no episode");
}

// ---------------------------------------------------------------- the official release's files

template <typename T>
void write_array(hid_t group, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                 const std::vector<T>& values) {
  const h5::Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const h5::Handle data(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
  ASSERT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
}

template <typename T>
std::vector<T> joined(const std::vector<Observation>& observations) {
  std::vector<T> values;
  for (const Observation& o : observations) values.insert(values.end(), o.begin(), o.end());
  return values;
}

// A file of the release's layout: one group per sample.
class ReleaseFiles : public ::testing::Test {
 protected:
  void write(const Benchmark& benchmark, const std::vector<Episode>& episodes) {
    const h5::Handle file = h5::create_file(path_);
    if (&benchmark == &arithmetic()) h5::write_text(file, "format", "arithmetic_dataset_even");
    h5::write_number(file, "dataset_length", static_cast<double>(episodes.size()));
    for (size_t i = 0; i < episodes.size(); ++i) {
      const h5::Handle sample = h5::create_group(file, fmt::format("sample_{}", i).c_str());
      if (&benchmark == &gridworld()) write_gridworld(sample, episodes[i]);
      if (&benchmark == &arithmetic()) write_arithmetic(sample, episodes[i]);
      if (&benchmark == &imaging()) write_imaging(sample, episodes[i]);
    }
  }

  static std::string quoted(const Benchmark& benchmark, const Program& program) {
    std::vector<std::string> names;
    for (int primitive : program)
      names.push_back(fmt::format("'{}'", benchmark.primitives()[static_cast<size_t>(primitive)]));
    return fmt::format("[{}]", fmt::join(names, ", "));
  }
  static void write_gridworld(hid_t sample, const Episode& e) {
    write_array(sample, "grids", H5T_STD_I32LE, {3, 10, 10},
                joined<int32_t>({e.support_x, e.support_y, e.query_x}));
    write_array(sample, "answer", H5T_STD_I64LE, {10, 10}, joined<int64_t>({e.query_y}));
    h5::write_text(sample, "transitions", fmt::format("[{}, []]", quoted(gridworld(), e.program)));
  }
  static void write_arithmetic(hid_t sample, const Episode& e) {
    write_array(sample, "grids", H5T_STD_I32LE, {3, 1, 6},
                joined<int32_t>({e.support_x, e.support_y, e.query_x}));
    write_array(sample, "answer", H5T_STD_I32LE, {1, 6}, joined<int32_t>({e.query_y}));
    std::string program = arithmetic().program_text(e.program);
    std::ranges::replace(program, ' ', ',');
    h5::write_text(sample, "program", program);
    h5::write_number(sample, "program_length", static_cast<double>(e.program.size()));
    h5::write_number(sample, "in0", static_cast<double>(digits_to_number(e.support_x)));
  }
  static void write_imaging(hid_t sample, const Episode& e) {
    write_array(sample, "grids", H5T_STD_U8LE, {4, 32, 32, 3},
                joined<uint8_t>({e.support_x, e.support_y, e.query_x, e.query_y}));
    write_array(sample, "answer", H5T_STD_U8LE, {32, 32, 3}, e.query_y);
    h5::write_text(sample, "transitions", fmt::format("[{}]", quoted(imaging(), e.program)));
  }

  const TemporaryFolder folder_;
  const fs::path path_ = folder_ / "release.h5";
};

TEST_F(ReleaseFiles, OfEveryBenchmarkAreReadAndRecognised) {
  for (const Benchmark* benchmark : benchmarks()) {
    std::vector<Episode> episodes;
    for (uint64_t seed = 0; seed < 5; ++seed) episodes.push_back(benchmark->sample(2, seed));
    write(*benchmark, episodes);
    PairReader reader(path_);
    EXPECT_EQ(benchmark_of(reader.info()), benchmark) << benchmark->name();
    EXPECT_TRUE(fits(reader.info().space, benchmark->space()));
    EXPECT_EQ(reader.info().pairs, 10);
    EXPECT_TRUE(reader.info().grouped);
    const Pair query = reader.pair(Part::main, 9);
    EXPECT_EQ(query.x, episodes[4].query_x);
    EXPECT_EQ(query.y, episodes[4].query_y);
    EXPECT_EQ(query.group, 4);
    EXPECT_EQ(query.program, benchmark->program_text(episodes[4].program));
    Sha256 hash;
    for (const Episode& episode : episodes) benchmark->add_to_digest(episode, hash);
    EXPECT_EQ(golden_digest(*benchmark, reader), hash.finish_hex());
  }
}

TEST_F(ReleaseFiles, WithUnknownPrimitivesBelongToNoBenchmark) {
  {
    const h5::Handle file = h5::create_file(path_);
    const h5::Handle sample = h5::create_group(file, "sample_0");
    const Episode e = gridworld().sample(1, 1);
    write_gridworld(sample, e);
    H5Adelete(sample, "transitions");
    h5::write_text(sample, "transitions", "[['move_diagonally'], []]");
  }
  PairReader reader(path_);
  EXPECT_EQ(benchmark_of(reader.info()), nullptr);
  EXPECT_EQ(reader.pair(Part::main, 1).program, "move_diagonally");
}

TEST_F(ReleaseFiles, WithImpossibleValuesAreRefused) {
  {
    const h5::Handle file = h5::create_file(path_);
    const h5::Handle sample = h5::create_group(file, "sample_0");
    write_array(sample, "grids", H5T_STD_I32LE, {3, 10, 10}, std::vector<int32_t>(300, -1));
    write_array(sample, "answer", H5T_STD_I64LE, {10, 10}, std::vector<int64_t>(100, 0));
    h5::write_text(sample, "transitions", "[['move_up'], []]");
  }
  EXPECT_CONTAINS(error_of([&] { PairReader(path_).pair(Part::main, 0); }), "outside 0..");
}

}  // namespace
}  // namespace neo
