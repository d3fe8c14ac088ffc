#include "view/panels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/golden.h"
#include "core/testing.h"
#include "data/read_png.h"
#include "view/strip.h"
#include "view/style.h"
#include "view/testing.h"

namespace neo {
namespace {

using namespace testing;

Colour pixel(const Canvas& canvas, int x, int y) {
  const uint8_t* p = &canvas.pixels()[static_cast<size_t>(3 * (y * canvas.width() + x))];
  return {p[0], p[1], p[2]};
}

// How many pixels of a colour there are.
int area(const Canvas& canvas, Colour colour) {
  int count = 0;
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 0; x < canvas.width(); ++x) count += pixel(canvas, x, y) == colour;
  return count;
}

std::unique_ptr<View> image_view() { return make_view(image_space(32, 32, 3)); }

Observation flat_image(Colour colour) {
  Observation image;
  for (int i = 0; i < 1024; ++i) image.insert(image.end(), colour.begin(), colour.end());
  return image;
}

Canvas drawn(const View& view, const std::vector<Strip>& strips) {
  std::vector<PanelRow> rows;
  for (const Strip& strip : strips) rows.push_back(panels_of(strip));
  return draw_panels(view, rows);
}

std::string in_terminal(const View& view, const Strip& strip, int width = 0) {
  return terminal_panels(view, panels_of(strip).panels, /*colour=*/false, width);
}

constexpr Colour kRed{200, 0, 0}, kGreen{0, 200, 0}, kBlue{0, 0, 200};

TEST(DrawPanels, EveryStateAndTheTargetAreShownFourTimesEnlarged) {
  const Canvas canvas =
      drawn(*image_view(), {{"pair", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)}});
  for (Colour colour : {kRed, kGreen, kBlue}) EXPECT_EQ(area(canvas, colour), 128 * 128);
}

TEST(DrawPanels, AnUnknownTargetIsLeftOut) {
  const Strip known{"", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, flat_image(kBlue)};
  Strip unknown = known;
  unknown.target.reset();
  EXPECT_LT(drawn(*image_view(), {unknown}).width(), drawn(*image_view(), {known}).width());
}

TEST(DrawPanels, RowsStandBelowEachOtherAndTheWidestSetsTheWidth) {
  const Strip small{"", {flat_image(kRed), flat_image(kRed)}, {"z0"}, {}};
  const Strip large{"", {flat_image(kRed), flat_image(kRed), flat_image(kRed)}, {"z0", "z1"}, {}};
  const Canvas both = drawn(*image_view(), {small, large});
  EXPECT_EQ(both.width(), drawn(*image_view(), {large}).width());
  EXPECT_EQ(area(both, kRed), 5 * 128 * 128);
}

TEST(DrawPanels, ALongTitleIsNotCutOffButOneWithoutEndIs) {
  const auto view = make_view(number_space(6));
  const Observation number(6, 1);
  const auto width = [&](size_t characters) {
    return drawn(*view, {{std::string(characters, 'x'), {number, number}, {"z0"}, number}}).width();
  };
  EXPECT_GE(width(80), 80 * Surface::text_width("x", kTextScale));
  EXPECT_LT(width(100000), 1400);
}

TEST(DrawPanels, LongCaptionsAndNotesStayInTheirPanels) {
  const auto view = make_view(number_space(6));
  const Observation number(6, 1);
  const Panel panel{.caption = std::string(500, 'W'), .observation = number, .note = std::string(500, 'W')};
  const Canvas one = draw_panels(*view, {{"", {panel}}}), two = draw_panels(*view, {{"", {panel, panel}}});
  EXPECT_LT(one.width(), 260);
  EXPECT_EQ(area(two, kInk), 2 * area(one, kInk));  // nothing is written over anything else
}

TEST(Surface, ClippedTextFitsAndShowsThatItIsCut) {
  EXPECT_EQ(Surface::clipped("abc", 24, 2), "abc");
  EXPECT_EQ(Surface::clipped("abcdefgh", 40, 2), "abc..");
  EXPECT_EQ(Surface::clipped("äöüßäöüß", 40, 2), "äöü..");
  EXPECT_EQ(Surface::clipped("abc", 0, 2), "");
}

TEST(DrawPanels, GridsAndNumbersAreDrawnToo) {
  const Observation grid(84, 1);
  EXPECT_EQ(
      area(drawn(*make_view(grid_space(12, 7, 6)), {{"", {grid, grid}, {"z0"}, grid}}), value_colour(1, 6)),
      3 * 84 * 8 * 8);
  const Observation number(6, 8);
  EXPECT_GT(drawn(*make_view(number_space(6)), {{"", {number, number}, {"z0"}, number}}).height(), 20);
}

TEST(DrawPanels, NotesStandBelowAndMarkedNamesInAnotherColour) {
  const Strip plain{"", {flat_image(kRed), flat_image(kGreen)}, {"z3"}, {}};
  Strip noted = plain;
  noted.notes = {"0.25"};
  EXPECT_GT(drawn(*image_view(), {noted}).height(), drawn(*image_view(), {plain}).height());
  Strip marked = plain;
  marked.marked = {1};
  EXPECT_LT(area(drawn(*image_view(), {marked}), kInk), area(drawn(*image_view(), {plain}), kInk));
}

TEST(DrawPanelsSvg, HoldsTheSamePicturesAndEscapesText) {
  const Observation grid(100, 1);
  const std::string svg = draw_panels_svg(*make_view(grid_space(10, 10, 9)),
                                          {panels_of({"a < b & c", {grid, grid}, {"z0"}, grid, {"0.5"}})})
                              .svg();
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_CONTAINS(svg, "a &lt; b &amp; c");
  EXPECT_CONTAINS(svg, ">z0 = ŷ</text>");
  EXPECT_CONTAINS(svg, ">0.5</text>");
}

TEST(DrawPanelsSvg, ImagesAreEmbeddedAsPictures) {
  const std::string svg = draw_panels_svg(*image_view(), {{"", {{"", flat_image(kRed)}}}}).svg();
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

TEST(Canvas, TextHasSmallLettersAndAccents) {
  const auto drawn = [](std::string_view text) {
    Canvas canvas(40, 24, kPaper);
    canvas.text(4, 6, text, kTextScale, kInk);
    return canvas.pixels();
  };
  const auto blank = drawn("");
  for (const auto& [a, b] : {std::pair("a", "A"), std::pair("z", "Z"), std::pair("y", "ŷ"), std::pair("×", "x")}) {
    EXPECT_NE(drawn(a), drawn(b)) << a << b;
    EXPECT_NE(drawn(b), blank) << b;
  }
  EXPECT_EQ(drawn("\xff"), drawn("?"));
}

TEST(TerminalPanels, NamesStandAboveNumbersAndNotesBelow) {
  const Observation twelve{0, 0, 0, 0, 1, 2}, sixty{0, 0, 0, 0, 6, 0};
  EXPECT_EQ(in_terminal(*make_view(number_space(6)), {"", {twelve, sixty}, {"z3"}, sixty, {"0.125"}}),
            "     x   z3 = ŷ        y\n"
            "    12 →     60       60\n"
            "          0.125\n");
}

TEST(TerminalPanels, WrapAtTheWidth) {
  const auto view = make_view(grid_space(10, 10, 9));
  const Observation grid(100, 0);
  const Strip strip{"", {grid, grid, grid}, {"z0", "z1"}, grid};
  const auto lines = [&](int width) {
    const std::string text = in_terminal(*view, strip, width);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(lines(0), 11);
  EXPECT_EQ(lines(80), 22);     // three beside each other
  EXPECT_EQ(lines(1), 44 + 3);  // with something between them
}

TEST(TerminalPanels, AMarkedStepHasAStar) {
  const Observation grid(100, 0);
  Strip strip{"", {grid, grid, grid}, {"z0", "z1"}, {}};
  strip.marked = {1};
  EXPECT_CONTAINS(in_terminal(*make_view(grid_space(10, 10, 9)), strip), "z0 *");
}

TEST(TerminalRow, StandsOnOneLineWhereThatIsEnough) {
  const auto view = make_view(number_space(6));
  EXPECT_EQ(terminal_row(*view, {view->parse("73"), view->parse("0")}, false), "73 → 0\n");
  const auto letters = make_view(letter_space(8, 26));
  EXPECT_EQ(terminal_row(*letters, {letters->parse("abc"), letters->parse("cba")}, false), "abc → cba\n");
}

TEST(TerminalRow, NoLineIsWiderThanEightyColumns) {
  for (const Space& space : {vector_space(100), sequence_space(256, 1024), grid_space(40, 41, 5)}) {
    const auto view = make_view(space);
    const std::string text =
        terminal_row(*view, {sample_observation(space, 1), sample_observation(space, 2)}, false);
    for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
      EXPECT_LE(utf8_columns(text.substr(begin, text.find('\n', begin) - begin)), 80u) << describe(space);
  }
}

Space with_channels(Space space, std::vector<int64_t> values) {
  space.shape.push_back(static_cast<int64_t>(values.size()));
  space.values = std::move(values);
  return space;
}

std::vector<Space> one_of_each() {
  std::vector<Space> spaces{grid_space(4, 7, 6),   with_channels(grid_space(3, 4, 0), {11, 6, 3}),
                            grid_space(2, 3, 200), sequence_space(20, 50),
                            letter_space(9, 26),   number_space(9),
                            number_space(12, 16),  image_space(6, 12, 3),
                            image_space(5, 8, 4),  vector_space(7),
                            vector_space(100)};
  spaces.push_back(grid_space(4, 5, 12));
  spaces.back().padded = true;
  return spaces;
}

TEST(Terminal, LooksAsItDid) {
  std::string text;
  for (const Space& space : one_of_each()) {
    const auto view = make_view(space);
    const Observation x = sample_observation(space, 1), y = sample_observation(space, 2);
    text += fmt::format("{}; expected: {}\n{}\n", describe(space), view->expectation(),
                        terminal_row(*view, {x, y}, false));
  }
  expect_golden("views.txt", text);
}

// What is shown, without colour codes.
std::string without_codes(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b')
      i = line.find('m', i);
    else
      text += line[i];
  }
  return text;
}

std::vector<Space> extremes() {
  return {grid_space(1, 1, 2),
          grid_space(64, 64, 256),
          grid_space(12, 7, 6),
          grid_space(40, 41, 5),
          sequence_space(256, 1024),
          sequence_space(1, 2),
          number_space(64, 2),
          number_space(1, 36),
          image_space(128, 128, 3),
          image_space(48, 48, 4),
          image_space(1, 1, 1),
          image_space(7, 81, 3),
          vector_space(1),
          vector_space(64),
          vector_space(65),
          vector_space(1024),
          with_channels(grid_space(64, 64, 0), {256, 2}),
          with_channels(grid_space(7, 7, 0), std::vector<int64_t>(16, 11))};
}

TEST(Terminal, LinesAreAsWideAsColumnsSaysAndAtMostEighty) {
  for (const Space& space : extremes()) {
    const auto view = make_view(space);
    EXPECT_LE(view->columns(), 80) << describe(space);
    for (bool colour : {false, true})
      for (const std::string& line : view->lines(sample_observation(space, 3), colour))
        EXPECT_EQ(static_cast<int>(utf8_columns(without_codes(line))), view->columns()) << describe(space);
  }
}

TEST(Terminal, PaddingIsBlank) {
  Space space = grid_space(2, 3, 4);
  space.padded = true;
  const auto view = make_view(space);
  EXPECT_EQ(view->lines(view->parse("12"), false), (std::vector<std::string>{" 1 2  ", "      "}));
  EXPECT_EQ(without_codes(view->lines(view->parse("12"), true)[1]), "      ");
  EXPECT_EQ(view->lines(view->parse("12"), true)[1].find("48;2"), std::string::npos);
}

TEST(Draw, StaysWithinItsExtent) {
  for (const Space& space : extremes()) {
    const auto view = make_view(space);
    const Extent extent = view->extent();
    constexpr Colour kEmpty{1, 2, 3};
    constexpr int kMargin = 20;
    Canvas canvas(extent.width + 2 * kMargin, extent.height + 2 * kMargin, kEmpty);
    view->draw(canvas, kMargin, kMargin, sample_observation(space, 4));
    int outside = 0;
    for (int y = 0; y < canvas.height(); ++y)
      for (int x = 0; x < canvas.width(); ++x)
        if (x < kMargin || y < kMargin || x >= kMargin + extent.width || y >= kMargin + extent.height)
          outside += pixel(canvas, x, y) != kEmpty;
    EXPECT_EQ(outside, 0) << describe(space);
    EXPECT_LT(area(canvas, kEmpty), canvas.width() * canvas.height());
    EXPECT_LE(extent.width, 520) << describe(space);
  }
}

TEST(Draw, APngDecodesToWhatWasDrawn) {
  const TemporaryFolder folder;
  const auto view = make_view(grid_space(12, 7, 6));
  Canvas canvas(view->extent().width, view->extent().height, kPaper);
  view->draw(canvas, 0, 0, Observation(84, 3));
  canvas.write_png(folder / "grid.png");
  const Picture picture = read_png(folder / "grid.png", 3);
  EXPECT_EQ(picture.width, 7 * 9 + 1);
  EXPECT_EQ(picture.height, 12 * 9 + 1);
  EXPECT_EQ(picture.pixels, canvas.pixels());
}

TEST(ContactSheet, PairsOfAGroupStandBesideEachOther) {
  const auto view = make_view(grid_space(10, 10, 9));
  const Observation grid(100, 1), other(100, 2);
  const std::vector<Pair> pairs{{grid, grid, 5, "up"}, {other, other, 6, "down"}, {grid, grid, 5, "up"}};
  const Canvas canvas = contact_sheet(*view, pairs);
  EXPECT_EQ(area(canvas, value_colour(1, 9)), 4 * 6400);
  EXPECT_EQ(area(canvas, value_colour(2, 9)), 2 * 6400);
  const int y = canvas.height() / 2;
  int last_blue = 0, first_red = canvas.width();
  for (int x = 0; x < canvas.width(); ++x) {
    if (pixel(canvas, x, y) == value_colour(1, 9)) last_blue = x;
    if (pixel(canvas, x, y) == value_colour(2, 9)) first_red = std::min(first_red, x);
  }
  EXPECT_LT(last_blue, first_red);
}

TEST(ContactSheet, IsMadeForEveryLayout) {
  for (const Space& space : extremes()) {
    std::vector<Pair> pairs;
    for (uint64_t i = 0; i < 7; ++i)
      pairs.push_back({sample_observation(space, i), sample_observation(space, i + 50)});
    const Canvas canvas = contact_sheet(*make_view(space), pairs);
    EXPECT_GE(canvas.width() * canvas.height(),
              7 * 2 * make_view(space)->extent().width * make_view(space)->extent().height);
    EXPECT_LT(canvas.width(), 1200);
  }
  EXPECT_GT(contact_sheet(*make_view(number_space(3)), {}).width(), 0);
}

}  // namespace
}  // namespace neo
