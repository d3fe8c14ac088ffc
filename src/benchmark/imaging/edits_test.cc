#include "benchmark/imaging/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "benchmark/imaging/testing.h"
#include "core/child.h"
#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes edited(Edit edit, const Bytes& in, int height, int width) {
  Bytes out(in.size());
  apply_edit(edit, in, out, height, width);
  return out;
}

// A square image with pixel k grey k.
Bytes numbered(int side) {
  Bytes image;
  for (int k = 0; k < side * side; ++k) image.insert(image.end(), 3, static_cast<uint8_t>(k));
  return image;
}

Bytes greys(const Bytes& image) {
  Bytes values;
  for (size_t i = 0; i < image.size(); i += 3) values.push_back(image[i]);
  return values;
}

TEST(ImagingEdits, BrightnessTruncatesAndClips) {
  const Bytes in{0, 1, 2, 3, 169, 170, 171, 254, 255};
  EXPECT_EQ(edited(Edit::kBrightnessMinus, in, 1, 3), (Bytes{0, 0, 1, 1, 84, 85, 85, 127, 127}));
  EXPECT_EQ(edited(Edit::kBrightnessPlus, in, 1, 3), (Bytes{0, 1, 3, 4, 253, 255, 255, 255, 255}));
}

TEST(ImagingEdits, HueTurnsByPillowsBytes) {
  const Bytes in{0,   0,   0, 255, 255, 255, 128, 128, 128, 255, 0, 0, 0,  255, 0,   0,   0,  255,
                 255, 255, 0, 12,  200, 77,  254, 253, 255, 3,   2, 2, 90, 30,  120, 201, 77, 12};
  const Bytes plus{0, 0,   0,   255, 255, 255, 128, 128, 128, 54, 255, 0, 0,   54, 255, 255, 0,   54,
                   0, 255, 198, 35,  13,  200, 255, 254, 253, 2,  3,   2, 120, 68, 30,  13,  201, 35};
  const Bytes minus{0,   0, 0,   255, 255, 255, 128, 128, 128, 60, 0, 255, 255, 54,  0,   0,   255, 54,
                    255, 0, 198, 200, 114, 13,  253, 255, 254, 2,  2, 3,   30,  120, 108, 119, 13,  201};
  EXPECT_EQ(edited(Edit::kHuePlus, in, 1, 12), plus);
  EXPECT_EQ(edited(Edit::kHueMinus, in, 1, 12), minus);
}

TEST(ImagingEdits, RotationIsCounterClockwise) {
  EXPECT_EQ(greys(edited(Edit::kRotation, numbered(3), 3, 3)), (Bytes{2, 5, 8, 1, 4, 7, 0, 3, 6}));
}

TEST(ImagingEdits, FlipsMirrorRowsAndColumns) {
  EXPECT_EQ(greys(edited(Edit::kHorizontalFlip, numbered(3), 3, 3)), (Bytes{2, 1, 0, 5, 4, 3, 8, 7, 6}));
  EXPECT_EQ(greys(edited(Edit::kVerticalFlip, numbered(3), 3, 3)), (Bytes{6, 7, 8, 3, 4, 5, 0, 1, 2}));
}

TEST(ImagingEdits, MaskingGreysTheTopLeftQuarter) {
  const Bytes masked = greys(edited(Edit::kMasking, Bytes(32 * 32 * 3, 7), 32, 32));
  for (int row = 0; row < 32; ++row) {
    for (int column = 0; column < 32; ++column) {
      ASSERT_EQ(masked[row * 32 + column], row < 16 && column < 16 ? 128 : 7) << row << ", " << column;
    }
  }
}

TEST(ImagingEdits, NamesAreSortedAsTheBenchmarkEnumeratesThem) {
  EXPECT_EQ(edit_names().size(), static_cast<size_t>(kEdits));
  EXPECT_TRUE(std::is_sorted(edit_names().begin(), edit_names().end()));
}

// Against the real library, installed as Debian's python3-pil.
class Pillow : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file_atomically(folder_ / "pixel", "abc");
    const int code = reference("masking", 1, 1, "pixel");
    if (code == 77 || code == 127) GTEST_SKIP() << "python3-pil is not installed";
    ASSERT_EQ(code, 0);
  }

  int reference(const std::string& edit, int width, int height, const std::string& file) {
    return run_command({.arguments = {"/usr/bin/python3", NEO_SOURCE_DIR "/tests/pillow_reference.py", edit,
                                      std::to_string(width), std::to_string(height)},
                        .input = folder_ / file,
                        .output = folder_ / "reference"});
  }

  void expect_equal(const Bytes& image, int height, int width, const std::vector<Edit>& edits) {
    write_file_atomically(folder_ / "image", {reinterpret_cast<const char*>(image.data()), image.size()});
    for (const Edit edit : edits) {
      const std::string& name = edit_names()[static_cast<size_t>(edit)];
      ASSERT_EQ(reference(name, width, height, "image"), 0) << name;
      const std::string expected = read_file(folder_ / "reference");
      const Bytes ours = edited(edit, image, height, width);
      EXPECT_TRUE(std::ranges::equal(ours, expected, {}, {}, [](char c) { return static_cast<uint8_t>(c); }))
          << name;
    }
  }

  static std::vector<Edit> all_edits() {
    std::vector<Edit> edits;
    for (int edit = 0; edit < kEdits; ++edit) edits.push_back(static_cast<Edit>(edit));
    return edits;
  }
  static std::vector<Edit> colour_edits() {
    return {Edit::kBrightnessMinus, Edit::kBrightnessPlus, Edit::kHueMinus, Edit::kHuePlus};
  }

  testing::TemporaryFolder folder_;
};

// All colours whose channels are multiples of `stride`, padded to a rectangle.
Bytes colour_lattice(int stride, int width) {
  Bytes colours;
  for (int red = 0; red < 256; red += stride) {
    for (int green = 0; green < 256; green += stride) {
      for (int blue = 0; blue < 256; blue += stride) {
        colours.insert(colours.end(),
                       {static_cast<uint8_t>(red), static_cast<uint8_t>(green), static_cast<uint8_t>(blue)});
      }
    }
  }
  while (colours.size() % (static_cast<size_t>(width) * 3) != 0) colours.push_back(0);
  return colours;
}

TEST_F(Pillow, AgreesOnRandomImages) {
  RngStream rng(1, "pillow");
  expect_equal(testing::random_image(rng), 32, 32, all_edits());
}

TEST_F(Pillow, AgreesOnBlackWhiteAndSaturatedColours) {
  RngStream rng(2, "pillow");
  Bytes image = testing::random_image(rng);
  for (uint8_t& byte : image) byte = std::array<uint8_t, 6>{0, 1, 127, 128, 254, 255}[byte % 6];
  expect_equal(image, 32, 32, all_edits());
}

TEST_F(Pillow, AgreesOnADenseLatticeOfColoursWithEveryGrey) {
  Bytes colours = colour_lattice(3, 256);
  for (int grey = 0; grey < 256; ++grey) colours.insert(colours.end(), 3, static_cast<uint8_t>(grey));
  expect_equal(colours, static_cast<int>(colours.size() / (256 * 3)), 256, colour_edits());
}

using SlowPillow = Pillow;
TEST_F(SlowPillow, AgreesOnAllSixteenMillionColours) {
  expect_equal(colour_lattice(1, 4096), 4096, 4096, colour_edits());
}

}  // namespace
}  // namespace neo
