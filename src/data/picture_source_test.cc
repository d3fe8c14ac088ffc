#include "data/picture_source.h"

#include <gtest/gtest.h>

#include "data/testing.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

class PictureImport : public testing::ImportTest {
 protected:
  // A picture all of one shade.
  void put_picture(const std::string& name, uint8_t shade, png_uint_32 width = 5, png_uint_32 height = 4,
                   int colour_type = PNG_COLOR_TYPE_RGB) const {
    fs::create_directories((folder_ / name).parent_path());
    const size_t channels = colour_type == PNG_COLOR_TYPE_RGB    ? 3
                            : colour_type == PNG_COLOR_TYPE_GRAY ? 1
                                                                 : 4;
    testing::write_png(folder_ / name, {.colour_type = colour_type, .width = width, .height = height},
                       std::vector<uint8_t>(width * height * channels, shade));
  }
};

TEST_F(PictureImport, BeforeAndAfterArePairsByName) {
  for (uint8_t i = 0; i < 3; ++i) {
    put_picture(fmt::format("pairs/before/{}.png", i), i);
    put_picture(fmt::format("pairs/after/{}.png", i), static_cast<uint8_t>(100 + i));
  }
  const ImportReport report = import({"pairs"});
  EXPECT_EQ(describe(report.info.space), "4x5 RGB image");
  EXPECT_EQ(report.info.pairs, 3);
  EXPECT_EQ(x(2)[0], 2);
  EXPECT_EQ(y(2)[59], 102);
}

TEST_F(PictureImport, AHalfThatIsMissingIsNamed) {
  for (uint8_t i = 0; i < 3; ++i) put_picture(fmt::format("half/before/{}.png", i), i);
  EXPECT_CONTAINS(complaint("half"), "half/after is missing; put the pictures after the change there");
}

TEST_F(PictureImport, OtherKindsOfPicturesAreLeftOutAndSaidToBe) {
  for (uint8_t i = 0; i < 9; ++i) put_picture(fmt::format("frames/{}.png", i), i);
  put("frames/9.JPG", "");
  const ImportReport report = import({"frames"});
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], ".jpg files were left out; convert them to PNG");
  ImportOptions values = options({"frames"});
  values.values = 5;
  EXPECT_CONTAINS(complaint(values), "an image has none");
}

TEST_F(PictureImport, LonelyFramesAreToBeNumbered) {
  put_picture("frames/1.png", 1);
  put_picture("frames/5.png", 5);
  EXPECT_CONTAINS(complaint("frames"), "1-3 steps apart; number frames one after the other");
}

TEST_F(PictureImport, GreyAndTransparentPicturesStayWhatTheyAre) {
  put_picture("grey/before/a.png", 7, 4, 4, PNG_COLOR_TYPE_GRAY);
  put_picture("grey/after/a.png", 8, 4, 4, PNG_COLOR_TYPE_GRAY);
  EXPECT_EQ(describe(import({"grey"}).info.space), "4x4 grey image");
  put_picture("alpha/before/a.png", 7, 4, 4, PNG_COLOR_TYPE_RGB_ALPHA);
  put_picture("alpha/after/a.png", 8, 4, 4, PNG_COLOR_TYPE_RGB_ALPHA);
  EXPECT_EQ(describe(import({"alpha"}).info.space), "4x4 RGBA image");
}

TEST_F(PictureImport, NumberedFramesAreATrajectoryInTheOrderOfTheirNumbers) {
  for (uint8_t i = 1; i <= 12; ++i) put_picture(fmt::format("frames/frame_{}.png", i), i);
  ImportOptions next = options({"frames"});
  next.most_lag = 1;
  const ImportReport report = import_pairs(next);
  EXPECT_EQ(report.info.pairs, 11);
  EXPECT_EQ(report.units, 1);
  for (int64_t i = 0; i < 11; ++i) {
    EXPECT_EQ(x(i)[0], i + 1);
    EXPECT_EQ(y(i)[0], i + 2);
  }
}

TEST_F(PictureImport, SubFoldersAndGapsAreTrajectories) {
  for (const char* name :
       {"run/a/f1.png", "run/a/f2.png", "run/b/f1.png", "run/b/f2.png", "run/b/f9.png", "run/b/f10.png"})
    put_picture(name, 3);
  ImportOptions next = options({"run"});
  next.most_lag = 1;
  const ImportReport report = import_pairs(next);
  EXPECT_EQ(report.units, 3);
  EXPECT_EQ(report.info.pairs, 3);
  EXPECT_CONTAINS(report.paragraph(), "missing frame numbers");
}

TEST_F(PictureImport, PicturesOfDifferentSizesAreBothNamed) {
  put_picture("pairs/before/a.png", 1);
  put_picture("pairs/after/a.png", 2);
  put_picture("pairs/before/b.png", 1, 6, 4);
  put_picture("pairs/after/b.png", 2);
  const std::string text = complaint("pairs");
  EXPECT_CONTAINS(text, "before/a.png is 4x5x3");
  EXPECT_CONTAINS(text, "before/b.png is 4x6x3");
  put_picture("pairs/before/b.png", 1, 5, 4, PNG_COLOR_TYPE_GRAY);
  EXPECT_CONTAINS(complaint("pairs"), "b.png is 4x5x1");
}

TEST_F(PictureImport, WhatIsMissingOrDamagedIsNamed) {
  put_picture("pairs/before/a.png", 1);
  fs::create_directory(folder_ / "pairs/after");
  EXPECT_CONTAINS(complaint("pairs"), "before/a.png has no partner");
  put_picture("pairs/after/a.png", 1);
  put_picture("pairs/after/b.png", 1);
  EXPECT_CONTAINS(complaint("pairs"), "after/b.png has no partner");
  fs::remove(folder_ / "pairs/after/b.png");
  put("pairs/after/a.png", "no picture");
  EXPECT_CONTAINS(complaint("pairs"), "after/a.png");
  put_picture("frames/first.png", 1);
  EXPECT_CONTAINS(complaint("frames"), "has no number in its name");
  put_picture("same/a1.png", 1);
  put_picture("same/b1.png", 1);
  EXPECT_CONTAINS(complaint("same"), "the same number");
  put_picture("one/f1.png", 1);
  EXPECT_CONTAINS(complaint("one"), "long enough");
  EXPECT_CONTAINS(complaint("one/f1.png"), "name the folder");
  fs::create_directories(folder_ / "none");
  EXPECT_CONTAINS(complaint("none"), "holds nothing to import");
}

}  // namespace
}  // namespace neo
