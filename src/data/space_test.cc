#include "data/space.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/testing.h"

namespace neo {
namespace {

Space grid(std::vector<int64_t> shape, std::vector<int64_t> values) {
  return {.layout = Layout::grid, .shape = std::move(shape), .values = std::move(values)};
}
Space sequence(int64_t length, int64_t values) {
  return {.layout = Layout::sequence, .shape = {length}, .values = {values}};
}
Space image(std::vector<int64_t> shape) {
  return {.kind = Kind::pixels, .layout = Layout::image, .shape = std::move(shape)};
}
Space vector_of(int64_t length) { return {.kind = Kind::real, .layout = Layout::vector, .shape = {length}}; }
Space number(int64_t digits, int64_t base) {
  return {.layout = Layout::number, .shape = {digits}, .values = {base}};
}

std::string refusal(const Space& space) {
  return testing::error_of([&] { check_space(space, "here"); });
}

TEST(Space, SizesFollowFromTheShape) {
  const Space cells = grid({12, 7, 3}, {5, 6, 2});
  EXPECT_EQ(cells.size(), 252);
  EXPECT_EQ(cells.channels(), 3);
  EXPECT_EQ(cells.cells(), 84);
  EXPECT_EQ(cells.rows(), 12);
  EXPECT_EQ(cells.columns(), 7);
  EXPECT_EQ(cells.values_at(0), 5);
  EXPECT_EQ(cells.values_at(4), 6);
  EXPECT_EQ(cells.most_values(), 6);
  EXPECT_EQ(sequence(20, 50).rows(), 1);
  EXPECT_EQ(sequence(20, 50).columns(), 20);
}

TEST(Space, ElementsAreAsWideAsTheirValues) {
  EXPECT_EQ(sequence(5, 256).bytes(), 5);
  EXPECT_EQ(sequence(5, 257).bytes(), 10);
  EXPECT_EQ(vector_of(7).bytes(), 28);
  EXPECT_EQ(image({4, 4, 3}).bytes(), 48);
}

TEST(Space, JsonGoesThereAndBack) {
  Space words = sequence(4, 3);
  words.symbols = {"a", "é", ""};
  words.padded = true;
  for (const Space& space :
       {grid({12, 7}, {6}), grid({3, 3, 2}, {5, 6}), words, number(9, 10), image({64, 48, 4}), vector_of(7)})
    EXPECT_EQ(space_from_json(to_json(space), "here"), space) << describe(space);
}

TEST(Space, DamagedDescriptionsAreRefusedInOneLine) {
  using nlohmann::json;
  const json right = to_json(grid({4, 4}, {3}));
  std::vector<json> wrong{json(), json::array(), json("grid")};
  for (const char* key : {"kind", "layout", "shape", "values"}) {
    wrong.push_back(right);
    wrong.back().erase(key);
    wrong.push_back(right);
    wrong.back()[key] = "x";
  }
  wrong.push_back(right);
  wrong.back()["shape"] = {4, -4};
  for (const json& description : wrong) {
    const std::string text = testing::error_of([&] { space_from_json(description, "here"); });
    EXPECT_EQ(text.substr(0, 5), "here:") << description << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Space, TheLargestOfEveryLayoutAreAcceptedAndNothingBeyond) {
  EXPECT_EQ(refusal(grid({64, 64}, {256})), "");
  EXPECT_CONTAINS(refusal(grid({65, 4}, {2})), "65x4");
  EXPECT_CONTAINS(refusal(grid({4, 4}, {257})), "257");
  EXPECT_CONTAINS(refusal(grid({4}, {2})), "shape");
  EXPECT_CONTAINS(refusal(grid({4, 4, 2}, {2, 3, 4})), "3 counts");
  EXPECT_EQ(refusal(sequence(256, 1024)), "");
  EXPECT_NE(refusal(sequence(257, 2)), "");
  EXPECT_NE(refusal(sequence(2, 1025)), "");
  EXPECT_NE(refusal(sequence(0, 2)), "");
  EXPECT_EQ(refusal(number(64, 36)), "");
  EXPECT_NE(refusal(number(65, 10)), "");
  EXPECT_NE(refusal(number(5, 1)), "");
  EXPECT_EQ(refusal(image({128, 128, 4})), "");
  EXPECT_NE(refusal(image({129, 2, 3})), "");
  EXPECT_CONTAINS(refusal(image({8, 8, 2})), "channels");
  EXPECT_EQ(refusal(vector_of(1024)), "");
  EXPECT_NE(refusal(vector_of(1025)), "");
  EXPECT_CONTAINS(refusal(image({129, 129, 3})), "here: an image of 129x129x3 is too large; cut or resize it to at most");
  EXPECT_CONTAINS(refusal(number(65, 10)), "a number of 65 digits is too long; give up to 64");
  EXPECT_CONTAINS(refusal(vector_of(4800)), "a vector of 4800 numbers is too long; give up to 1024");
  EXPECT_CONTAINS(refusal(grid({-5, -6}, {2})), "a grid cannot have the shape -5x-6");
  EXPECT_CONTAINS(refusal(grid({4, 4, 17}, {2})), "a grid of 4x4x17 has too many channels; give up to 16");
  Space mixed = vector_of(3);
  mixed.kind = Kind::categorical;
  EXPECT_NE(refusal(mixed), "");
}

TEST(Space, SymbolsAreAsManyAsValues) {
  Space words = sequence(4, 3);
  words.symbols = {"a", "b"};
  EXPECT_CONTAINS(refusal(words), "2 symbols for 3 values");
  words.symbols = {"a", "b", "\xff"};
  EXPECT_NE(refusal(words), "");
}

TEST(Space, ValuesGoThereAndBackInEveryElement) {
  const std::vector<std::pair<Space, std::vector<double>>> cases{{grid({2, 2}, {6}), {0, 5, 3, 1}},
                                                                 {sequence(3, 1000), {0, 999, 256}},
                                                                 {vector_of(3), {-1.5, 0, 1e30}},
                                                                 {image({1, 2, 1}), {0, 255}}};
  for (const auto& [space, values] : cases) {
    const Observation bytes = observation_of(space, values);
    EXPECT_EQ(static_cast<int64_t>(bytes.size()), space.bytes());
    const auto back = values_of(space, bytes);
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(static_cast<float>(back[i]), static_cast<float>(values[i]));
  }
}

TEST(Space, ValuesThatAreNoneAreNamed) {
  const auto complaint = [](const Space& space, const std::vector<double>& values) {
    return testing::error_of([&] { observation_of(space, values); });
  };
  EXPECT_CONTAINS(complaint(grid({1, 2}, {6}), {0, 6}), "6 at place 2");
  EXPECT_NE(complaint(grid({1, 2}, {6}), {0, -1}), "");
  EXPECT_NE(complaint(grid({1, 2}, {6}), {0, 1.5}), "");
  EXPECT_NE(complaint(grid({1, 2}, {6}), {0, std::nan("")}), "");
  EXPECT_CONTAINS(complaint(grid({1, 2}, {6}), {0}), "1 numbers");
  EXPECT_CONTAINS(complaint(vector_of(2), {0, HUGE_VAL}), "not finite");
  EXPECT_CONTAINS(complaint(vector_of(2), {0, 1e300}), "1e+300 at place 2 is beyond single precision");
  EXPECT_CONTAINS(complaint(grid({1, 1, 2}, {3, 5}), {3, 3}), "0 to 2");
}

TEST(Space, DataFitATheoryThatKnowsTheirValues) {
  EXPECT_TRUE(fits(grid({4, 4}, {5}), grid({4, 4}, {6})));
  EXPECT_FALSE(fits(grid({4, 4}, {7}), grid({4, 4}, {6})));
  EXPECT_FALSE(fits(grid({4, 5}, {6}), grid({4, 4}, {6})));
  EXPECT_FALSE(fits(sequence(4, 200), sequence(4, 300)));  // stored in other elements
  Space padded = grid({4, 4}, {5});
  padded.padded = true;
  EXPECT_FALSE(fits(padded, grid({4, 4}, {6})));
  EXPECT_TRUE(fits(padded, padded));
  Space words = sequence(4, 2);
  words.symbols = {"a", "b"};
  Space others = words;
  others.symbols = {"b", "a"};
  EXPECT_FALSE(fits(words, others));
  EXPECT_TRUE(fits(vector_of(3), vector_of(3)));
  EXPECT_FALSE(fits(image({4, 4, 1}), image({4, 4, 3})));
}

TEST(Space, DifferencesAreMeasuredAsTheKindHasIt) {
  const auto apart = [](const Space& space, const std::vector<double>& a, const std::vector<double>& b) {
    return difference(space, observation_of(space, a), observation_of(space, b));
  };
  EXPECT_DOUBLE_EQ(apart(grid({2, 2}, {6}), {0, 1, 2, 3}, {0, 5, 2, 2}), 0.5);
  EXPECT_DOUBLE_EQ(apart(image({1, 2, 1}), {0, 0}, {255, 0}), 0.5);
  EXPECT_DOUBLE_EQ(apart(vector_of(2), {0, 0}, {3, 4}), std::sqrt(12.5));
}

TEST(Space, DescribesItselfInWords) {
  EXPECT_EQ(describe(grid({12, 7}, {6})), "12x7 grid of 6 values");
  EXPECT_EQ(describe(sequence(20, 50)), "sequence of 20 tokens, 50 values");
  EXPECT_EQ(describe(number(9, 10)), "number of 9 digits");
  EXPECT_EQ(describe(image({64, 48, 3})), "64x48 RGB image");
  EXPECT_EQ(layout_named("vector"), Layout::vector);
  EXPECT_CONTAINS(testing::error_of([] { layout_named("cube"); }), "grid, sequence, number, image, vector");
}

}  // namespace
}  // namespace neo
