#include "data/minari_source.h"

#include <gtest/gtest.h>

#include <numeric>

#include "data/h5.h"
#include "data/testing.h"

namespace neo {
namespace {
namespace fs = std::filesystem;
using Dims = std::vector<hsize_t>;

template <typename T>
void put_array(hid_t parent, const char* name, hid_t stored, hid_t memory, const Dims& dims,
               const std::vector<T>& values) {
  const h5::Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
  const h5::Handle dataset(H5Dcreate2(parent, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
  ASSERT_TRUE(dataset.valid());
  H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

class MinariImport : public testing::ImportTest {
 protected:
  fs::path path_ = folder_ / "main_data.hdf5";
  static constexpr hsize_t kSteps = 10;

  // Counts up from the episode's number times 100.
  static std::vector<double> counted(int64_t episode, size_t numbers) {
    std::vector<double> values(numbers);
    std::iota(values.begin(), values.end(), static_cast<double>(100 * episode));
    return values;
  }
  static std::vector<int64_t> actions() {
    std::vector<int64_t> a(kSteps);
    std::iota(a.begin(), a.end(), 0);
    return a;
  }
  static h5::Handle episode(hid_t file, int64_t number) {
    return h5::create_group(file, fmt::format("episode_{}", number).c_str());
  }
  void write_vectors() const {
    const h5::Handle file = h5::create_file(path_);
    for (int64_t e : {0, 1, 2, 10}) {
      const h5::Handle group = episode(file, e);
      put_array(group, "observations", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {kSteps + 1, 2}, counted(e, 22));
      put_array(group, "actions", H5T_STD_I64LE, H5T_NATIVE_INT64, {kSteps}, actions());
    }
  }
  ImportOptions next_step() const {
    ImportOptions next = options({"main_data.hdf5"});
    next.most_lag = 1;
    return next;
  }
};

TEST_F(MinariImport, EpisodesAreTrajectoriesInTheOrderOfTheirNumbers) {
  write_vectors();
  const ImportReport report = import_pairs(next_step());
  EXPECT_EQ(describe(report.info.space), "vector of 2 real numbers");
  EXPECT_EQ(report.units, 4);
  EXPECT_EQ(report.info.pairs, 40);  // observations are one more than steps
  EXPECT_EQ(x(0), (std::vector<double>{0, 1}));
  EXPECT_EQ(y(0), (std::vector<double>{2, 3}));
  EXPECT_EQ(x(39), (std::vector<double>{1018, 1019}));
}

TEST_F(MinariImport, IntegerActionsAlongTheWayAreThePrograms) {
  write_vectors();
  ImportOptions two = next_step();
  two.least_lag = two.most_lag = 2;
  const ImportReport report = import_pairs(two);
  EXPECT_EQ(pair(0).program, "0 1");
  EXPECT_EQ(pair(8).program, "8 9");
  EXPECT_EQ(report.info.programs.size(), 9u);
  EXPECT_FALSE(report.info.grouped);
}

TEST_F(MinariImport, ADatasetsFolderIsTakenAsWell) {
  write_vectors();
  fs::create_directories(folder_ / "cart/pole-v1/data");
  fs::rename(path_, folder_ / "cart/pole-v1/data/main_data.hdf5");
  EXPECT_EQ(import({"cart/pole-v1"}).units, 4);
}

TEST_F(MinariImport, TheLargestOfSeveralObservationsIsTakenUnlessOneIsNamed) {
  {
    const h5::Handle file = h5::create_file(path_);
    for (int64_t e : {0, 1}) {
      const h5::Handle group = episode(file, e), observations = h5::create_group(group, "observations");
      put_array(observations, "image", H5T_STD_U8LE, H5T_NATIVE_INT64, {kSteps + 1, 2, 2, 3},
                std::vector<int64_t>(132, 7));
      put_array(observations, "direction", H5T_STD_I64LE, H5T_NATIVE_INT64, {kSteps + 1},
                std::vector<int64_t>(11, 3));
      const h5::Handle inner = h5::create_group(observations, "agent");
      put_array(inner, "place", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {kSteps + 1, 2}, counted(e, 22));
      put_array(group, "actions", H5T_IEEE_F32LE, H5T_NATIVE_DOUBLE, {kSteps, 1}, counted(e, 10));
    }
  }
  const ImportReport report = import_pairs(next_step());
  EXPECT_EQ(describe(report.info.space), "2x2 grid of 3 channels with 8/8/8 values");
  EXPECT_TRUE(report.info.programs.empty());  // real actions name nothing
  EXPECT_CONTAINS(fmt::format("{}", fmt::join(report.notes, " ")),
                  "agent/place, direction, image the observations 'image'");
  ImportOptions chosen = next_step();
  chosen.field = "agent/place";
  EXPECT_EQ(describe(import_pairs(chosen).info.space), "vector of 2 real numbers");
  chosen.field = "direction";
  EXPECT_EQ(describe(import_pairs(chosen).info.space), "number of 1 digit");
  chosen.field = "mission";
  EXPECT_CONTAINS(complaint(chosen), "one of: agent/place, direction, image");
}

TEST_F(MinariImport, EpisodesOfOtherShapesAreNamed) {
  write_vectors();
  {
    const h5::Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    put_array(episode(file, 3), "observations", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {kSteps + 1, 3},
              counted(3, 33));
  }
  EXPECT_CONTAINS(complaint(next_step()), "main_data.hdf5, episode 3, step 1, x is 3");
}

TEST_F(MinariImport, ObservationsThatAreTooLargeAreToBeResized) {
  {
    const h5::Handle file = h5::create_file(path_);
    const h5::Handle group = episode(file, 0);
    put_array(group, "observations", H5T_STD_U8LE, H5T_NATIVE_UINT8, {2, 210, 160, 3},
              std::vector<uint8_t>(2 * 210 * 160 * 3));
  }
  EXPECT_CONTAINS(complaint(next_step()), "observations of 210x160x3 are too large; images go up to 128x128");
}

TEST_F(MinariImport, EpisodesOfOneObservationNeedNoSmallerLags) {
  {
    const h5::Handle file = h5::create_file(path_);
    put_array(episode(file, 0), "observations", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {1, 2}, counted(0, 2));
  }
  EXPECT_CONTAINS(complaint(next_step()), "no episode is long enough for a pair 1 step apart; record longer ones");
}

TEST_F(MinariImport, WhatIsMissingIsNamed) {
  { const h5::Handle file = h5::create_file(path_); }
  EXPECT_CONTAINS(complaint(next_step()), "save other arrays as x and y with np.savez");
  {
    const h5::Handle file = h5::create_file(path_);
    episode(file, 0);
  }
  EXPECT_CONTAINS(complaint(next_step()), "episode_0 has no observations");
  put("main_data.hdf5", "no HDF5");
  EXPECT_CONTAINS(complaint(next_step()), "no HDF5 file");
}

TEST_F(MinariImport, LinksExternalStorageAndFalseClaimsAreRefused) {
  const auto write_hostile = [&](int way) {
    const h5::Handle file = h5::create_file(path_);
    const h5::Handle group = episode(file, 0);
    if (way == 0) {
      H5Lcreate_external("/etc/other.h5", "/secret", group, "observations", H5P_DEFAULT, H5P_DEFAULT);
      return;
    }
    const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Dims dims{way == 1 ? kSteps : hsize_t{1} << 50, 4}, chunk{8, 4};
    if (way == 1)
      H5Pset_external(creation, "/etc/passwd", 0, H5F_UNLIMITED);
    else
      H5Pset_chunk(creation, 2, chunk.data());
    const h5::Handle space(H5Screate_simple(2, dims.data(), nullptr), H5Sclose);
    const h5::Handle data(
        H5Dcreate2(group, "observations", H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    ASSERT_TRUE(data.valid());
  };
  const std::vector<std::string> expected{"is a link to elsewhere", "keeps its data in other files",
                                          "claims to hold more"};
  for (int way = 0; way < 3; ++way) {
    write_hostile(way);
    EXPECT_CONTAINS(complaint(next_step()), expected[static_cast<size_t>(way)]);
  }
}

}  // namespace
}  // namespace neo
