#include "view/predictions.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/testing.h"
#include "view/testing.h"

namespace neo {
namespace {

using namespace testing;

// A .npy file of bytes [count, 1, 2].
void write_npy(const std::filesystem::path& path, const std::vector<uint8_t>& values) {
  const std::string about =
      fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': ({}, 1, 2), }}", values.size() / 2);
  const std::string text = fmt::format("\x93NUMPY\x01{}\x76{}{:<117}\n", '\0', '\0', about);
  write_file_atomically(path, text + std::string(values.begin(), values.end()));
}

TEST(Predictions, AreReadRowByRow) {
  const TemporaryFolder folder;
  write_npy(folder / "p.npy", {0, 1, 2, 1});
  const auto rows = read_predictions(folder / "p.npy", *make_view(grid_space(1, 2, 3)));
  EXPECT_EQ(rows, (std::vector<Observation>{{0, 1}, {2, 1}}));
}

TEST(Predictions, AnErrorNamesTheRow) {
  const TemporaryFolder folder;
  write_npy(folder / "p.npy", {0, 1, 9, 1});
  const auto complaint = error_of([&] { read_predictions(folder / "p.npy", *make_view(grid_space(1, 2, 3))); });
  EXPECT_CONTAINS(complaint, "row 2");
}

TEST(Predictions, OfCategoriesTransferIsTheExactShare) {
  const std::vector<Observation> truth{{0, 1}, {2, 1}}, predictions{{0, 1}, {2, 2}};
  const PredictionScore score = score_predictions(grid_space(1, 2, 3), predictions, truth);
  EXPECT_EQ(score.episodes, 2);
  EXPECT_DOUBLE_EQ(score.exact, 0.5);
  EXPECT_DOUBLE_EQ(score.error, 0.25);
  EXPECT_DOUBLE_EQ(score.transfer, 0.5);
}

TEST(Predictions, OfImagesTransferIsTheError) {
  const Space space = image_space(1, 1, 1);
  const std::vector<Observation> truth{{0}, {255}}, predictions{{51}, {255}};
  EXPECT_NEAR(score_predictions(space, predictions, truth).transfer, 0.1, 1e-12);
}

TEST(Predictions, AsManyAreNeededAsThereAreOutputs) {
  const std::vector<Observation> truth{{0, 1}, {2, 1}};
  EXPECT_CONTAINS(error_of([&] { score_predictions(grid_space(1, 2, 3), {truth.data(), 1}, truth); }),
                  "2 outputs need as many predictions");
}

}  // namespace
}  // namespace neo
