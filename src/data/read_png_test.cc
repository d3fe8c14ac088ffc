#include "data/read_png.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "data/testing.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

using testing::write_png;

class ReadPng : public ::testing::Test {
 protected:
  ReadPng() {
    RngStream rng(3, "read png");
    for (uint8_t& byte : image_) byte = static_cast<uint8_t>(rng.below(256));
  }
  // image_ with this alpha after each pixel.
  std::vector<uint8_t> with_alpha(uint8_t alpha) const {
    std::vector<uint8_t> rgba;
    for (size_t i = 0; i < image_.size(); i += 3)
      rgba.insert(rgba.end(), {image_[i], image_[i + 1], image_[i + 2], alpha});
    return rgba;
  }
  std::string complaint() const {
    const std::string text = testing::error_of([&] { read_png(path_, 3); });
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_CONTAINS(text, "image.png");
    return text;
  }
  void truncate_to(size_t bytes) const { write_file_atomically(path_, read_file(path_).substr(0, bytes)); }

  testing::TemporaryFolder folder_;
  fs::path path_ = folder_ / "image.png";
  Observation image_ = Observation(32 * 32 * 3);
};

TEST_F(ReadPng, AnRgbImageIsReadAsItIs) {
  write_png(path_, {.width = 64, .height = 16}, image_);
  const Picture reading = read_png(path_);
  EXPECT_EQ(reading.width, 64);
  EXPECT_EQ(reading.height, 16);
  EXPECT_EQ(reading.channels, 3);
  EXPECT_EQ(reading.pixels, image_);
  EXPECT_EQ(reading.converted, "");
}

TEST_F(ReadPng, GreyscaleStaysGreyUnlessColourIsAskedFor) {
  const std::vector<uint8_t> grey(image_.begin(), image_.begin() + 1024);
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_GRAY}, grey);
  EXPECT_EQ(read_png(path_).channels, 1);
  EXPECT_EQ(read_png(path_).pixels, grey);
  EXPECT_EQ(read_png(path_).converted, "");
  const Picture reading = read_png(path_, 3);
  ASSERT_EQ(reading.pixels.size(), 3072u);
  for (size_t i = 0; i < 3072; ++i) ASSERT_EQ(reading.pixels[i], grey[i / 3]);
  EXPECT_EQ(reading.converted, "greyscale made RGB");
}

TEST_F(ReadPng, OneBitGreyscaleIsBlackAndWhite) {
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_GRAY, .bits = 1}, std::vector<uint8_t>(32 * 4, 0x55));
  const Picture reading = read_png(path_);
  EXPECT_EQ(Observation(reading.pixels.begin(), reading.pixels.begin() + 2), (Observation{0, 255}));
}

TEST_F(ReadPng, PalettesBecomeTheirColours) {
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, std::vector<uint8_t>(1024, 1),
            [](png_structp png, png_infop info) {
              const png_color colours[] = {{1, 2, 3}, {40, 50, 60}};
              png_set_PLTE(png, info, colours, 2);
            });
  const Picture reading = read_png(path_);
  EXPECT_EQ(Observation(reading.pixels.begin(), reading.pixels.begin() + 3), (Observation{40, 50, 60}));
  EXPECT_EQ(reading.converted, "palette made RGB");
}

TEST_F(ReadPng, SixteenBitsKeepTheirUpperHalf) {
  std::vector<uint8_t> wide;
  for (uint8_t byte : image_) wide.insert(wide.end(), {byte, byte});  // v * 257: exactly v of 255
  write_png(path_, {.bits = 16}, wide);
  const Picture reading = read_png(path_);
  EXPECT_EQ(reading.pixels, image_);
  EXPECT_EQ(reading.converted, "16 bits reduced to 8");
}

TEST_F(ReadPng, AnOpaqueAlphaChannelIsDroppedWhereColourIsAskedFor) {
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA}, with_alpha(255));
  EXPECT_EQ(read_png(path_).channels, 4);
  EXPECT_EQ(read_png(path_).pixels, with_alpha(255));
  EXPECT_EQ(read_png(path_).converted, "");
  const Picture reading = read_png(path_, 3);
  EXPECT_EQ(reading.pixels, image_);
  EXPECT_EQ(reading.converted, "opaque alpha channel dropped");
}

TEST_F(ReadPng, SeveralConversionsAreAllNamed) {
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_GRAY_ALPHA, .bits = 16},
            std::vector<uint8_t>(1024 * 4, 255));
  EXPECT_EQ(read_png(path_, 3).converted,
            "greyscale made RGB, 16 bits reduced to 8, opaque alpha channel dropped");
}

TEST_F(ReadPng, TransparencyIsRefusedWithItsRemedy) {
  auto rgba = with_alpha(255);
  rgba[4 * 700 + 3] = 254;
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA}, rgba);
  EXPECT_CONTAINS(complaint(), "flatten");
}

TEST_F(ReadPng, ATransparentPaletteColourCountsOnlyWhereItIsUsed) {
  const auto add_palette = [](png_structp png, png_infop info) {
    const png_color colours[] = {{1, 2, 3}, {40, 50, 60}};
    const png_byte alpha[] = {0};
    png_set_PLTE(png, info, colours, 2);
    png_set_tRNS(png, info, alpha, 1, nullptr);
  };
  std::vector<uint8_t> indices(1024, 1);
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, indices, add_palette);
  EXPECT_EQ(read_png(path_).channels, 4);
  EXPECT_EQ(read_png(path_, 3).converted, "palette made RGB, opaque alpha channel dropped");
  indices[5] = 0;
  write_png(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, indices, add_palette);
  EXPECT_CONTAINS(complaint(), "flatten");
}

TEST_F(ReadPng, ALargerSizeIsNamedBesideTheLargest) {
  write_png(path_, {.width = 129, .height = 48}, std::vector<uint8_t>(129 * 48 * 3));
  EXPECT_CONTAINS(complaint(), "129x48");
  EXPECT_CONTAINS(complaint(), "128x128");
}

TEST_F(ReadPng, ColoursAreNotMadeGrey) {
  write_png(path_, {}, image_);
  EXPECT_CONTAINS(testing::error_of([&] { read_png(path_, 1); }), "coloured");
}

TEST_F(ReadPng, AHugeSizeIsRefusedBeforeAnythingIsDecoded) {
  write_png(path_, {.width = 900000, .height = 900000}, {});  // would take terabytes
  EXPECT_CONTAINS(complaint(), "900000x900000");
}

TEST_F(ReadPng, ATruncatedFileIsRefusedWhereverItEnds) {
  write_png(path_, {}, image_);
  for (size_t bytes = fs::file_size(path_) - 13; bytes > 0;
       bytes = bytes * 3 / 4) {  // 12 bytes: the end mark
    truncate_to(bytes);
    EXPECT_NE(complaint(), "") << bytes;
  }
}

TEST_F(ReadPng, MissingOrDamagedPixelsAreNoticed) {
  write_png(path_, {}, image_);
  std::string bytes = read_file(path_);
  bytes[bytes.size() / 2] ^= 1;
  write_file_atomically(path_, bytes);
  EXPECT_CONTAINS(complaint(), "cut short or damaged");
  write_png(path_, {}, image_);
  truncate_to(1500);
  EXPECT_CONTAINS(complaint(), "cut short or damaged");
}

TEST_F(ReadPng, OtherFilesAreNotPngs) {
  for (const std::string& content : {std::string(), std::string("12"), std::string(5000, 'x')}) {
    write_file_atomically(path_, content);
    EXPECT_CONTAINS(complaint(), "PNG file of up to 128x128");
  }
  fs::remove(path_);
  EXPECT_CONTAINS(complaint(), "No such file");
  fs::create_directory(path_);
  EXPECT_CONTAINS(complaint(), "cannot read");
}

}  // namespace
}  // namespace neo
