#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "core/testing.h"
#include "view/canvas.h"
#include "view/testing.h"
#include "view/view.h"

namespace neo {
namespace {

using namespace testing;

Observation parsed(const Space& space, const std::string& text) { return make_view(space)->parse(text); }

std::string complaint(const Space& space, const std::string& text) {
  return error_of([&] { make_view(space)->parse(text); });
}

// As a user would write it.
std::string spaced(const Space& space, const Observation& observation) {
  std::string text;
  for (double value : values_of(space, observation)) text += fmt::format("{} ", static_cast<float>(value));
  return text;
}

Space channels_space() {
  return {.kind = Kind::categorical, .layout = Layout::grid, .shape = {12, 7, 3}, .values = {11, 6, 3}};
}

std::vector<Space> all_kinds() {
  std::vector<Space> spaces{grid_space(12, 7, 6),   grid_space(1, 1, 2),       grid_space(64, 64, 256),
                            grid_space(3, 4, 40),   channels_space(),          sequence_space(20, 50),
                            sequence_space(5, 3),   sequence_space(256, 1024), letter_space(9, 26),
                            number_space(9),        number_space(64, 2),       number_space(64, 36),
                            image_space(48, 48, 4), image_space(5, 7, 1),      image_space(128, 128, 3),
                            vector_space(1),        vector_space(7),           vector_space(1024)};
  spaces.push_back(grid_space(6, 5, 5));
  spaces.back().padded = true;
  return spaces;
}

TEST(FromNumbers, NumbersInMemoryAreReadLikeThoseInAFile) {
  const auto view = make_view(grid_space(1, 2, 3));
  EXPECT_EQ(view->from_numbers({{1, 2}, false, {2, 1}}), (Observation{2, 1}));
  EXPECT_CONTAINS(error_of([&] { view->from_numbers({{1, 2}, true, {std::nan(""), 1}}); }), "NaN");
  EXPECT_CONTAINS(error_of([&] { view->from_numbers({{2, 2}, false, {2, 1, 0, 0}}); }), "expected");
}

TEST(Wire, EveryObservationComesBack) {
  for (const Space& space : all_kinds()) {
    const auto view = make_view(space);
    for (uint64_t seed : {1, 2, 3}) {
      const Observation observation = sample_observation(space, seed);
      EXPECT_EQ(view->from_text(view->text(observation)), observation) << describe(space);
    }
  }
}

TEST(Wire, FormsAreAsAgreed) {
  EXPECT_EQ(make_view(number_space(6))->text(Observation{0, 0, 0, 0, 1, 2}), "000012");
  EXPECT_EQ(make_view(grid_space(1, 3, 20))->text(Observation{3, 0, 12}), "3,0,12");
  EXPECT_EQ(make_view(image_space(1, 1, 3))->text(Observation{1, 2, 3}), "AQID");
  const Space space = vector_space(3);
  EXPECT_EQ(make_view(space)->text(observation_of(space, std::vector{0.1, -2.0, 3e-4})), "0.1,-2,0.0003");
}

TEST(Wire, IsStrict) {
  const auto refusal = [](const Space& space, std::string_view text) {
    return error_of([&] { make_view(space)->from_text(text); });
  };
  EXPECT_CONTAINS(refusal(number_space(6), "12"), "2 digits");
  EXPECT_CONTAINS(refusal(number_space(3), "1 2"), "digits");
  EXPECT_CONTAINS(refusal(grid_space(1, 3, 4), "014"), "0 to 3");
  for (const char* text :
       {"", "1,2", "1,2,3,4", "1,2,", "1,,3", "1, 2,3", "1,2,nan", "1,2,inf", "1,2,1e99", "1,2,x"})
    EXPECT_NE(refusal(vector_space(3), text), "") << text;
  EXPECT_NE(refusal(grid_space(1, 2, 20), "1,20"), "");
  EXPECT_NE(refusal(grid_space(1, 2, 20), "1,1.5"), "");
  EXPECT_NE(refusal(grid_space(1, 2, 20), "1,-1"), "");
  EXPECT_CONTAINS(refusal(image_space(2, 2, 3), "AAAA"), "16 characters");
  EXPECT_NE(refusal(image_space(1, 1, 1), "AAA="), "");  // right length, two bytes
  EXPECT_LT(refusal(vector_space(2), std::string(100000, '7')).size(), 200u);
}

TEST(Parse, TextWithBlanksComesBackInEveryLayoutButImages) {
  for (const Space& space : all_kinds()) {
    if (space.layout == Layout::image || space.layout == Layout::number || !space.symbols.empty()) continue;
    const Observation observation = sample_observation(space, 5);
    EXPECT_EQ(parsed(space, spaced(space, observation)), observation) << describe(space);
  }
}

TEST(Parse, JsonFilesComeBackInEveryLayout) {
  const TemporaryFolder folder;
  for (const Space& space : all_kinds()) {
    const auto view = make_view(space);
    const Observation observation = sample_observation(space, 6);
    write_file_atomically(folder / "o.json", view->json(observation).dump());
    if (space.padded && !space.symbols.empty()) continue;  // padding in the middle has no symbol
    EXPECT_EQ(view->parse((folder / "o.json").string()), observation) << describe(space);
    EXPECT_EQ(view->parse("@" + (folder / "o.json").string()), observation) << describe(space);
  }
}

TEST(Json, IsWrittenAsPeopleWould) {
  const auto json = [](const Space& space, const std::string& text) {
    return make_view(space)->json(parsed(space, text)).dump();
  };
  EXPECT_EQ(json(number_space(30), "00420"), "\"420\"");
  EXPECT_EQ(json(letter_space(6, 5), "abca"), "\"abca\"");
  EXPECT_EQ(json(sequence_space(3, 50), "3 0 12"), "[3,0,12]");
  EXPECT_EQ(json(grid_space(2, 2, 5), "01/23"), "[[0,1],[2,3]]");
  EXPECT_EQ(json(vector_space(2), "0.1 -2"), "[0.1,-2.0]");
}

TEST(Parse, NumbersAreFilledWithZeros) {
  EXPECT_EQ(parsed(number_space(6), "42"), (Observation{0, 0, 0, 0, 4, 2}));
  EXPECT_EQ(parsed(number_space(6), " 0000999999\n"), (Observation{9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(parsed(number_space(3, 16), "fF"), (Observation{0, 15, 15}));
  EXPECT_EQ(parsed(number_space(3, 2), "101"), (Observation{1, 0, 1}));
}

TEST(Parse, BadNumbersAreExplained) {
  EXPECT_CONTAINS(complaint(number_space(6), "1234567"), "7 digits; expected a number of up to 6 digits");
  EXPECT_CONTAINS(complaint(number_space(6), "-5"), "negative");
  for (const char* text : {"12a", "1.5", "0x10", "-", "1e3", "١"})
    EXPECT_CONTAINS(complaint(number_space(6), text), "not a number");
  EXPECT_CONTAINS(complaint(number_space(6, 2), "12"),
                  "not a number; expected a number of up to 6 digits in base 2");
  EXPECT_CONTAINS(complaint(number_space(6), "  "), "missing");
  EXPECT_LT(complaint(number_space(6), std::string(100000, '7')).size(), 200u);
}

TEST(Parse, GridsAreTakenInManyForms) {
  const Observation observation{0, 1, 2, 3, 0, 5};
  for (const char* text : {"012305", ".123.5", "012\n305", "012/305", "0 1 2 3 0 5", "0,1,2|3,0,5",
                           "[[0,1,2],[3,0,5]]", "0 1 2\r\n3 0 5\r\n"})
    EXPECT_EQ(parsed(grid_space(2, 3, 6), text), observation) << text;
}

TEST(Parse, GridsOfManyValuesAreNumbersOrLetters) {
  const Observation observation{0, 1, 12, 3, 0, 35};
  for (const char* text : {"0 1 12 3 0 35", "01c\n30z", "01c30z", "0 1 c 3 0 z", "[0,1,12],[3,0,35]"})
    EXPECT_EQ(parsed(grid_space(2, 3, 36), text), observation) << text;
  EXPECT_EQ(parsed(grid_space(1, 2, 256), "255, 100"), (Observation{255, 100}));
}

TEST(Parse, BadGridsAreExplained) {
  EXPECT_CONTAINS(complaint(grid_space(12, 7, 6), "000"),
                  "3 cells; expected 12x7 cells of 0 to 5, row by row");
  EXPECT_CONTAINS(complaint(grid_space(1, 3, 6), "016"), "6 in row 1, column 3 is not one of 0 to 5");
  EXPECT_CONTAINS(complaint(grid_space(1, 3, 6), "01x"), "'x' is not a cell");
  EXPECT_CONTAINS(complaint(grid_space(1, 3, 6), "01?"), "'?' is not a cell");
  EXPECT_CONTAINS(complaint(grid_space(3, 2, 6), "012\n012"), "2 rows of up to 3 cells");
  EXPECT_CONTAINS(complaint(channels_space(), "0 1"),
                  "12x7 cells of 3 numbers each (0 to 10, 0 to 5, 0 to 2)");
}

TEST(Parse, SmallerGridsArePaddedWhereTheSpaceIs) {
  Space space = grid_space(3, 4, 6);
  space.padded = true;
  EXPECT_EQ(parsed(space, "01\n234"), (Observation{0, 1, 5, 5, 2, 3, 4, 5, 5, 5, 5, 5}));
  EXPECT_EQ(make_view(space)->json(parsed(space, "01\n23")).dump(), "[[0,1],[2,3]]");
  EXPECT_CONTAINS(complaint(space, "01234"), "expected up to 3x4 cells of 0 to 4");
  EXPECT_CONTAINS(complaint(grid_space(2, 3, 6), "01\n234"), "2 rows of up to 3 cells");
}

TEST(Parse, SequencesAreSymbolsOrNumbers) {
  EXPECT_EQ(parsed(letter_space(5, 4), "abca"), (Observation{0, 1, 2, 0, 4}));
  EXPECT_EQ(parsed(sequence_space(4, 5), "0123"), (Observation{0, 1, 2, 3}));
  EXPECT_EQ(parsed(sequence_space(3, 50), "[0, 12, 49]"), (Observation{0, 12, 49}));
  Space words = sequence_space(3, 2);
  words.symbols = {"up", "left"};
  EXPECT_EQ(parsed(words, "up left up"), (Observation{0, 1, 0}));
  EXPECT_CONTAINS(complaint(letter_space(5, 4), "abz"),
                  "'z' is no token of a sequence; expected up to 5 characters");
  EXPECT_CONTAINS(complaint(letter_space(2, 4), "abc"), "a sequence of 3 tokens");
  EXPECT_CONTAINS(complaint(sequence_space(3, 50), "1 2"), "expected 3 numbers of 0 to 49");
  EXPECT_CONTAINS(complaint(sequence_space(3, 50), "1 2 50"), "50 at place 3");
}

TEST(Parse, VectorsAreNumbers) {
  const Space space = vector_space(3);
  EXPECT_EQ(parsed(space, "(1.5, -2, 3e-4)"), observation_of(space, std::vector{1.5, -2.0, 3e-4}));
  EXPECT_CONTAINS(complaint(space, "1 2"), "2 numbers; expected 3 numbers");
  for (const char* text : {"1 2 x", "1 2 nan", "1 2 inf", "1 2 0x1"})
    EXPECT_CONTAINS(complaint(space, text), "is not a number");
  EXPECT_CONTAINS(complaint(space, "1 2 1e300"), "too large");
}

class ParseFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    write_file_atomically(folder_ / name, content);
    return (folder_ / name).string();
  }
  // As NumPy saves it.
  std::string npy(const std::string& type, const std::string& shape, const std::string& bytes) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    return write("a.npy",
                 std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(118) + '\0' + header + '\n' + bytes);
  }
  std::string png(const std::vector<Colour>& pixels, int width, int scale = 1) {
    Canvas canvas(width * scale, static_cast<int>(pixels.size()) / width * scale, {0, 0, 0});
    for (int i = 0; i < static_cast<int>(pixels.size()); ++i)
      canvas.fill(i % width * scale, i / width * scale, scale, scale, pixels[static_cast<size_t>(i)]);
    canvas.write_png(folder_ / "p.png");
    return (folder_ / "p.png").string();
  }
  TemporaryFolder folder_;
};

TEST_F(ParseFile, AtSignReadsText) {
  EXPECT_EQ(parsed(number_space(6), "@" + write("n.txt", "17\n")), (Observation{0, 0, 0, 0, 1, 7}));
  EXPECT_EQ(parsed(grid_space(2, 2, 3), "@" + write("g.txt", "01\n22\n")), (Observation{0, 1, 2, 2}));
  EXPECT_CONTAINS(complaint(number_space(6), "@" + (folder_ / "none").string()), "none");
  EXPECT_CONTAINS(complaint(number_space(6), "@" + write("n.txt", "x")), "n.txt': 'x' is not a number");
}

TEST_F(ParseFile, TextIsAlsoReadWithoutAnAtSign) {
  EXPECT_EQ(parsed(number_space(4), write("x.txt", "12")), (Observation{0, 0, 1, 2}));
  EXPECT_EQ(parsed(grid_space(2, 2, 3), write("g.txt", "01\n22\n")), (Observation{0, 1, 2, 2}));
  EXPECT_CONTAINS(complaint(number_space(4), write("x.txt", "twelve")), "x.txt': 'twelve' is not a number");
}

TEST_F(ParseFile, NumpyArraysWithNaNAreNotRagged) {
  const std::string bytes("\x00\x00\x80\x3f\x00\x00\xc0\x7f", 8);  // 1 and NaN
  Space padded = grid_space(1, 2, 4);
  for (bool is_padded : {false, true}) {
    padded.padded = is_padded;
    EXPECT_CONTAINS(complaint(padded, npy("<f4", "(1, 2)", bytes)), "a.npy': it holds NaN; expected");
  }
}

TEST_F(ParseFile, NumpyArraysAreReadInEveryLayout) {
  EXPECT_EQ(parsed(grid_space(2, 3, 6), npy("|u1", "(2, 3)", {0, 1, 2, 3, 4, 5})),
            (Observation{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(parsed(image_space(1, 2, 1), npy("|u1", "(1, 2)", {7, 9})), (Observation{7, 9}));
  EXPECT_EQ(parsed(number_space(4), npy("|u1", "(4,)", {0, 1, 2, 3})), (Observation{0, 1, 2, 3}));
  const float numbers[]{1.5f, -2.0f};
  std::string bytes(sizeof numbers, '\0');
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  EXPECT_EQ(parsed(vector_space(2), npy("<f4", "(2,)", bytes)),
            observation_of(vector_space(2), std::vector{1.5, -2.0}));
  EXPECT_CONTAINS(complaint(grid_space(3, 2, 6), npy("|u1", "(2, 3)", {0, 1, 2, 3, 4, 5})),
                  "numbers of shape 2x3; expected 3x2 cells");
}

TEST_F(ParseFile, JsonHoldsListsNumbersAndStrings) {
  EXPECT_EQ(parsed(number_space(4), write("n.json", "420")), (Observation{0, 4, 2, 0}));
  EXPECT_EQ(parsed(number_space(4), write("n.json", "\"0420\"")), (Observation{0, 4, 2, 0}));
  EXPECT_EQ(parsed(number_space(4, 16), write("n.json", "255")), (Observation{0, 2, 5, 5}));
  EXPECT_EQ(parsed(letter_space(3, 3), write("s.json", "[\"c\", \"a\"]")), (Observation{2, 0, 3}));
  EXPECT_EQ(parsed(grid_space(2, 2, 3), write("g.json", "[\"01\", \"22\"]")), (Observation{0, 1, 2, 2}));
  EXPECT_CONTAINS(complaint(number_space(4), write("n.json", "-1")), "negative");
  EXPECT_CONTAINS(complaint(number_space(4), write("n.json", "1.5")), "whole");
  EXPECT_CONTAINS(complaint(number_space(4), write("n.json", "99999")), "99999 has 5 digits");
  EXPECT_CONTAINS(complaint(number_space(40), write("n.json", "1e20")), "write it as text");
  EXPECT_CONTAINS(complaint(grid_space(2, 2, 3), write("g.json", "[[0,1],[2]]")), "different lengths");
  EXPECT_CONTAINS(complaint(grid_space(2, 2, 3), write("g.json", "[[0,1],2]")), "beside each other");
  EXPECT_CONTAINS(complaint(grid_space(2, 2, 3), write("g.json", "[[0,1],[2,null]]")), "not a number");
  EXPECT_CONTAINS(complaint(grid_space(2, 2, 3), write("g.json", "{")), "not JSON");
  EXPECT_CONTAINS(complaint(grid_space(2, 2, 3), write("g.json", std::string(100000, '['))), "levels");
}

TEST_F(ParseFile, PicturesOfGridsHaveTheColoursOfTheValues) {
  const auto colour = [](int64_t value) { return value_colour(value, 40); };
  const std::vector<Colour> pixels{colour(0), colour(1), colour(30), colour(39), colour(8), colour(9)};
  const Observation observation{0, 1, 30, 39, 8, 9};
  EXPECT_EQ(parsed(grid_space(2, 3, 40), png(pixels, 3)), observation);
  std::string note;
  EXPECT_EQ(make_view(grid_space(2, 3, 40))->parse(png(pixels, 3, 5), &note), observation);
  EXPECT_CONTAINS(note, "5x5 pixels");
  EXPECT_CONTAINS(complaint(grid_space(2, 3, 30), png(pixels, 3)), "row 1, column 3");
  EXPECT_CONTAINS(complaint(grid_space(3, 2, 40), png(pixels, 3)), "3x2 pixels");
  EXPECT_CONTAINS(complaint(number_space(6), png(pixels, 3)), "a picture cannot be read");
}

TEST_F(ParseFile, ImagesAreReadAsTheyAre) {
  const std::vector<Colour> pixels{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(parsed(image_space(1, 2, 3), png(pixels, 2)), (Observation{1, 2, 3, 4, 5, 6}));
  EXPECT_CONTAINS(complaint(image_space(2, 1, 3), png(pixels, 2)), "1 wide and 2 high; crop or resize");
  EXPECT_CONTAINS(complaint(image_space(2, 1, 3), "none.png"), "there is no file 'none.png'");
  EXPECT_CONTAINS(complaint(image_space(2, 1, 3), ""),
                  "missing; expected an RGB image, 1 pixels wide and 2 high");
}

TEST(ValueColour, TellsApartAsManyValuesAsGridsHave) {
  std::set<Colour> colours;
  for (int64_t value = 0; value < 256; ++value) colours.insert(value_colour(value, 256));
  EXPECT_EQ(colours.size(), 256u);
}

}  // namespace
}  // namespace neo
