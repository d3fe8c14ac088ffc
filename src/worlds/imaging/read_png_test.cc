#include "worlds/imaging/read_png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdio>
#include <functional>

#include "core/files.h"
#include "core/testing.h"
#include "worlds/imaging/testing.h"
#include "worlds/parse.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

struct Kind {
  int colour_type = PNG_COLOR_TYPE_RGB;
  int bits = 8;
  png_uint_32 width = 32, height = 32;
};

// Writes rows as they are: `bytes` holds samples in the file's own form, 16-bit ones big-endian. Without any,
// the file ends where its pixels should begin.
void write(const fs::path& path, const Kind& kind, const std::vector<uint8_t>& bytes,
           const std::function<void(png_structp, png_infop)>& add_chunks = {}) {
  FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, kind.width, kind.height, kind.bits, kind.colour_type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (add_chunks) add_chunks(png, info);
  png_write_info(png, info);
  const size_t row = bytes.size() / kind.height;
  for (png_uint_32 y = 0; row > 0 && y < kind.height; ++y) png_write_row(png, bytes.data() + y * row);
  if (row > 0)
    png_write_end(png, nullptr);
  else
    png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), nullptr, 0);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

class ReadPng : public ::testing::Test {
 protected:
  ReadPng() {
    RngStream rng(3, "read png");
    image_ = testing::random_image(rng);
  }
  // image_ with this alpha after each pixel.
  std::vector<uint8_t> with_alpha(uint8_t alpha) const {
    std::vector<uint8_t> rgba;
    for (size_t i = 0; i < image_.size(); i += 3)
      rgba.insert(rgba.end(), {image_[i], image_[i + 1], image_[i + 2], alpha});
    return rgba;
  }
  std::string complaint() const {
    const std::string text = testing::error_of([&] { read_png(path_); });
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_CONTAINS(text, "image.png");
    return text;
  }
  void truncate_to(size_t bytes) const { write_file_atomically(path_, read_file(path_).substr(0, bytes)); }

  testing::TemporaryFolder folder_;
  fs::path path_ = folder_ / "image.png";
  Observation image_;
};

TEST_F(ReadPng, AnRgbImageIsReadAsItIs) {
  write(path_, {}, image_);
  const PngReading reading = read_png(path_);
  EXPECT_EQ(reading.image, image_);
  EXPECT_EQ(reading.converted, "");
}

TEST_F(ReadPng, GreyscaleBecomesEqualChannels) {
  const std::vector<uint8_t> grey(image_.begin(), image_.begin() + 1024);
  write(path_, {.colour_type = PNG_COLOR_TYPE_GRAY}, grey);
  const PngReading reading = read_png(path_);
  ASSERT_EQ(reading.image.size(), 3072u);
  for (size_t i = 0; i < 3072; ++i) ASSERT_EQ(reading.image[i], grey[i / 3]);
  EXPECT_EQ(reading.converted, "greyscale made RGB");
}

TEST_F(ReadPng, OneBitGreyscaleIsBlackAndWhite) {
  write(path_, {.colour_type = PNG_COLOR_TYPE_GRAY, .bits = 1}, std::vector<uint8_t>(32 * 4, 0x55));
  const PngReading reading = read_png(path_);
  EXPECT_EQ(Observation(reading.image.begin(), reading.image.begin() + 6),
            (Observation{0, 0, 0, 255, 255, 255}));
}

TEST_F(ReadPng, PalettesBecomeTheirColours) {
  write(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, std::vector<uint8_t>(1024, 1),
        [](png_structp png, png_infop info) {
          const png_color colours[] = {{1, 2, 3}, {40, 50, 60}};
          png_set_PLTE(png, info, colours, 2);
        });
  const PngReading reading = read_png(path_);
  EXPECT_EQ(Observation(reading.image.begin(), reading.image.begin() + 3), (Observation{40, 50, 60}));
  EXPECT_EQ(reading.converted, "palette made RGB");
}

TEST_F(ReadPng, SixteenBitsKeepTheirUpperHalf) {
  std::vector<uint8_t> wide;
  for (uint8_t byte : image_) wide.insert(wide.end(), {byte, byte});  // v * 257: exactly v of 255
  write(path_, {.bits = 16}, wide);
  const PngReading reading = read_png(path_);
  EXPECT_EQ(reading.image, image_);
  EXPECT_EQ(reading.converted, "16 bits reduced to 8");
}

TEST_F(ReadPng, AnOpaqueAlphaChannelIsDropped) {
  write(path_, {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA}, with_alpha(255));
  const PngReading reading = read_png(path_);
  EXPECT_EQ(reading.image, image_);
  EXPECT_EQ(reading.converted, "opaque alpha channel dropped");
}

TEST_F(ReadPng, SeveralConversionsAreAllNamed) {
  write(path_, {.colour_type = PNG_COLOR_TYPE_GRAY_ALPHA, .bits = 16}, std::vector<uint8_t>(1024 * 4, 255));
  EXPECT_EQ(read_png(path_).converted,
            "greyscale made RGB, 16 bits reduced to 8, opaque alpha channel dropped");
}

TEST_F(ReadPng, TransparencyIsRefusedWithItsRemedy) {
  auto rgba = with_alpha(255);
  rgba[4 * 700 + 3] = 254;
  write(path_, {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA}, rgba);
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
  write(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, indices, add_palette);
  EXPECT_EQ(read_png(path_).converted, "palette made RGB, opaque alpha channel dropped");
  indices[5] = 0;
  write(path_, {.colour_type = PNG_COLOR_TYPE_PALETTE}, indices, add_palette);
  EXPECT_CONTAINS(complaint(), "flatten");
}

TEST_F(ReadPng, AnotherSizeIsNamedBesideTheOneNeeded) {
  write(path_, {.width = 64, .height = 48}, std::vector<uint8_t>(64 * 48 * 3));
  EXPECT_CONTAINS(complaint(), "64x48");
  EXPECT_CONTAINS(complaint(), "32x32");
}

TEST_F(ReadPng, AHugeSizeIsRefusedBeforeAnythingIsDecoded) {
  write(path_, {.width = 900000, .height = 900000}, {});  // would take terabytes
  EXPECT_CONTAINS(complaint(), "900000x900000");
}

TEST_F(ReadPng, ATruncatedFileIsRefusedWhereverItEnds) {
  write(path_, {}, image_);
  for (size_t bytes = fs::file_size(path_) - 13; bytes > 0;
       bytes = bytes * 3 / 4) {  // 12 bytes: the end mark
    truncate_to(bytes);
    EXPECT_NE(complaint(), "") << bytes;
  }
}

TEST_F(ReadPng, MissingOrDamagedPixelsAreNoticed) {
  write(path_, {}, image_);
  std::string bytes = read_file(path_);
  bytes[bytes.size() / 2] ^= 1;
  write_file_atomically(path_, bytes);
  EXPECT_CONTAINS(complaint(), "cut short or damaged");
  write(path_, {}, image_);
  truncate_to(1500);
  EXPECT_CONTAINS(complaint(), "cut short or damaged");
}

TEST_F(ReadPng, OtherFilesAreNotPngs) {
  for (const std::string& content : {std::string(), std::string("12"), std::string(5000, 'x')}) {
    write_file_atomically(path_, content);
    EXPECT_CONTAINS(complaint(), "PNG file of 32x32");
  }
  fs::remove(path_);
  EXPECT_CONTAINS(complaint(), "No such file");
  fs::create_directory(path_);
  EXPECT_CONTAINS(complaint(), "cannot read");
}

TEST_F(ReadPng, ObservationsOfImagingAreNamedByTheirFile) {
  write(path_, {}, image_);
  std::string note;
  EXPECT_EQ(parse_observation(imaging(), path_.string(), &note), image_);
  EXPECT_EQ(parse_observation(imaging(), "@" + path_.string()), image_);
  EXPECT_EQ(note, "");
  write(path_, {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA}, with_alpha(255));
  EXPECT_EQ(parse_observation(imaging(), path_.string(), &note), image_);
  EXPECT_EQ(note, path_.string() + ": opaque alpha channel dropped");
  EXPECT_THROW(parse_observation(imaging(), ""), UsageError);
}

}  // namespace
}  // namespace neo
