#include "worlds/panels.h"

#include <gtest/gtest.h>

#include "core/testing.h"
#include "worlds/draw.h"
#include "worlds/strip.h"

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

Canvas drawn(const World& world, const std::vector<Strip>& strips) {
  std::vector<PanelRow> rows;
  for (const Strip& strip : strips) rows.push_back(panels_of(strip));
  return draw_panels(world, rows);
}

std::string in_terminal(const World& world, const Strip& strip, int width = 0) {
  return terminal_panels(world, panels_of(strip).panels, /*colour=*/false, width);
}

constexpr Colour kRed{200, 0, 0}, kGreen{0, 200, 0}, kBlue{0, 0, 200};

TEST(DrawPanels, EveryStateAndTheTargetAreShownFourTimesEnlarged) {
  const Canvas canvas =
      drawn(imaging(), {{"pair", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)}});
  for (Colour colour : {kRed, kGreen, kBlue}) EXPECT_EQ(area(canvas, colour), 128 * 128);
}

TEST(DrawPanels, AnUnknownTargetIsLeftOut) {
  const Strip known{"", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)};
  Strip unknown = known;
  unknown.target.reset();
  EXPECT_LT(drawn(imaging(), {unknown}).width(), drawn(imaging(), {known}).width());
}

TEST(DrawPanels, RowsStandBelowEachOtherAndTheWidestSetsTheWidth) {
  const Strip small{"", {flat_image(kRed), flat_image(kRed)}, {"z0"}, {}};
  const Strip large{"", {flat_image(kRed), flat_image(kRed), flat_image(kRed)}, {"z0", "z1"}, {}};
  const Canvas both = drawn(imaging(), {small, large});
  EXPECT_EQ(both.width(), drawn(imaging(), {large}).width());
  EXPECT_EQ(area(both, kRed), 5 * 128 * 128);
}

TEST(DrawPanels, ALongTitleIsNotCutOff) {
  const Observation number(6, 1);
  const std::string title(80, 'x');
  EXPECT_GE(drawn(arithmetic(), {{title, {number, number}, {"z0"}, number}}).width(),
            Surface::text_width(title, kTextScale));
}

TEST(DrawPanels, GridsAndNumbersAreDrawnToo) {
  const Observation grid(100, 1);
  EXPECT_EQ(area(drawn(gridworld(), {{"", {grid, grid}, {"z0"}, grid}}), cell_colour(1)), 3 * 100 * 8 * 8);
  const Observation number(6, 8);
  EXPECT_GT(drawn(arithmetic(), {{"", {number, number}, {"z0"}, number}}).height(), 20);
}

TEST(DrawPanels, NotesStandBelowAndMarkedNamesInAnotherColour) {
  const Strip plain{"", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, {}};
  Strip noted = plain;
  noted.notes = {"0.25"};
  EXPECT_GT(drawn(imaging(), {noted}).height(), drawn(imaging(), {plain}).height());
  Strip marked = plain;
  marked.marked = {1};
  EXPECT_LT(area(drawn(imaging(), {marked}), kInk), area(drawn(imaging(), {plain}), kInk));
}

TEST(DrawPanelsSvg, HoldsTheSamePicturesAndEscapesText) {
  const Observation grid(100, 1);
  const std::string svg =
      draw_panels_svg(gridworld(), {panels_of({"a < b & c", {grid, grid}, {"z0"}, grid, {"0.5"}})}).svg();
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_CONTAINS(svg, "a &lt; b &amp; c");
  EXPECT_CONTAINS(svg, ">z0 = y^</text>");
  EXPECT_CONTAINS(svg, ">0.5</text>");
}

TEST(DrawPanelsSvg, ImagesAreEmbeddedAsPictures) {
  const std::string svg = draw_panels_svg(imaging(), {{"", {{"", flat_image(kRed)}}}}).svg();
  EXPECT_CONTAINS(svg, "href=\"data:image/png;base64,iVBORw0KGgo");  // how every PNG file begins
  EXPECT_LT(svg.size(), 2000u);
}

TEST(SvgCanvas, EqualNeighboursBecomeOneRectangle) {
  SvgCanvas canvas(100, 10, kPaper);
  for (int x = 0; x < 9; ++x) canvas.fill(10 * x, 2, 10, 5, kRed);
  canvas.fill(90, 2, 10, 5, kBlue);
  EXPECT_CONTAINS(canvas.svg(), "<rect x=\"0\" y=\"2\" width=\"90\" height=\"5\" fill=\"#c80000\"/>");
  EXPECT_CONTAINS(canvas.svg(), "<rect x=\"90\" y=\"2\" width=\"10\" height=\"5\" fill=\"#0000c8\"/>");
}

TEST(TerminalPanels, NamesStandAboveNumbersAndNotesBelow) {
  const Observation twelve{0, 0, 0, 0, 1, 2}, sixty{0, 0, 0, 0, 6, 0};
  EXPECT_EQ(in_terminal(arithmetic(), {"", {twelve, sixty}, {"z3"}, sixty, {"0.125"}}),
            "      x   z3 = y^         y\n"
            "     12 →      60        60\n"
            "            0.125\n");
}

TEST(TerminalPanels, WrapAtTheWidth) {
  const Observation grid(100, 0);
  const Strip strip{"", {grid, grid, grid}, {"z0", "z1"}, grid};
  const auto lines = [&](int width) {
    const std::string text = in_terminal(gridworld(), strip, width);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(0), 11);
  EXPECT_EQ(lines(80), 22);  // three beside each other
  EXPECT_EQ(lines(1), 44);
}

TEST(TerminalPanels, AMarkedStepHasAStar) {
  const Observation grid(100, 0);
  Strip strip{"", {grid, grid, grid}, {"z0", "z1"}, {}};
  strip.marked = {1};
  EXPECT_CONTAINS(in_terminal(gridworld(), strip), "z0 *");
}

}  // namespace
}  // namespace neo
