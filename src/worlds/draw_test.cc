#include "worlds/draw.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

Colour pixel(const Canvas& canvas, int x, int y) {
  const uint8_t* p = &canvas.pixels()[static_cast<size_t>(3 * (y * canvas.width() + x))];
  return {p[0], p[1], p[2]};
}

Observation flat_image(Colour colour) {
  Observation image;
  for (int i = 0; i < 1024; ++i) image.insert(image.end(), colour.begin(), colour.end());
  return image;
}

// How many pixels of a colour there are.
int area(const Canvas& canvas, Colour colour) {
  int count = 0;
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 0; x < canvas.width(); ++x) count += pixel(canvas, x, y) == colour;
  return count;
}

constexpr Colour kRed{200, 0, 0}, kGreen{0, 200, 0}, kBlue{0, 0, 200};

TEST(DrawStrips, EveryStateAndTheTargetAreShownFourTimesEnlarged) {
  const Canvas canvas =
      draw_strips(imaging(), {{"pair", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)}});
  for (Colour colour : {kRed, kGreen, kBlue}) EXPECT_EQ(area(canvas, colour), 128 * 128);
}

TEST(DrawStrips, AnUnknownTargetIsLeftOut) {
  const Strip known{"", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)};
  Strip unknown = known;
  unknown.target.reset();
  EXPECT_LT(draw_strips(imaging(), {unknown}).width(), draw_strips(imaging(), {known}).width());
}

TEST(DrawStrips, StripsStandBelowEachOtherAndTheWidestSetsTheWidth) {
  const Strip small{"", {flat_image(kRed), flat_image(kRed)}, {"z0"}, {}};
  const Strip large{"", {flat_image(kRed), flat_image(kRed), flat_image(kRed)}, {"z0", "z1"}, {}};
  const Canvas one = draw_strips(imaging(), {large});
  const Canvas both = draw_strips(imaging(), {small, large});
  EXPECT_EQ(both.width(), one.width());
  EXPECT_EQ(area(both, kRed), 5 * 128 * 128);
}

TEST(DrawStrips, ALongTitleIsNotCutOff) {
  const Observation number(6, 1);
  const std::string title(80, 'x');
  EXPECT_GE(draw_strips(arithmetic(), {{title, {number, number}, {"z0"}, number}}).width(),
            Canvas::text_width(title, 2));
}

TEST(DrawStrips, GridsAndNumbersAreDrawnToo) {
  const Observation grid(100, 1);
  EXPECT_EQ(area(draw_strips(gridworld(), {{"", {grid, grid}, {"z0"}, grid}}), cell_colour(1)),
            3 * 100 * 8 * 8);
  const Observation number(6, 8);
  EXPECT_GT(draw_strips(arithmetic(), {{"", {number, number}, {"z0"}, number}}).height(), 20);
}

}  // namespace
}  // namespace neo
