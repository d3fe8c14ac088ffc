#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "view/testing.h"
#include "view/view.h"

namespace neo {
namespace {

using namespace testing;
using Values = std::vector<double>;
using Rule = std::function<Values(const Values&)>;

// What is said of a rule when it is applied to `inputs`.
std::string words_for(const Space& space, const std::vector<Values>& inputs, const Rule& rule) {
  std::vector<Change> changes;
  for (const Values& input : inputs)
    changes.emplace_back(observation_of(space, input), observation_of(space, rule(input)));
  return make_view(space)->describe(changes, 0.8);
}

Values digits_of(int64_t number, int64_t count, int64_t base) {
  Values out(static_cast<size_t>(count));
  for (size_t i = out.size(); i-- > 0; number /= base) out[i] = static_cast<double>(number % base);
  return out;
}

std::string of_numbers(const std::function<int64_t(int64_t)>& rule, int64_t count = 6, int64_t base = 10) {
  const Space space = number_space(count, base);
  std::vector<Change> changes;
  for (int64_t n : {12, 8, 100, 44, 6000})
    changes.emplace_back(observation_of(space, digits_of(n, count, base)),
                         observation_of(space, digits_of(rule(n), count, base)));
  return make_view(space)->describe(changes, 0.8);
}

// One cell of value 3 goes two columns to the left unless that is outside; the rest stays.
TEST(Describe, SaysWhichValueMovesWhereOthersStay) {
  const Space space{.layout = Layout::grid, .shape = {5, 6}, .values = {4}};
  std::vector<Values> inputs;
  for (size_t at = 0; at < 30; at += 4) {
    Values input(30, 0.0);
    input[(at + 3) % 30] = 1;
    input[at] = 3;
    inputs.push_back(input);
  }
  const auto left = [](const Values& input) {
    Values output = input;
    const auto at = static_cast<size_t>(std::ranges::find(input, 3.0) - input.begin());
    if (at % 6 < 2) return output;
    std::swap(output[at], output[at - 2]);
    return output;
  };
  EXPECT_EQ(words_for(space, inputs, left), "3 moves 2 left");
}

TEST(Describe, FindsTheRuleOfNumbersInAnyBase) {
  for (const auto& form : {std::pair<int64_t, int64_t>{6, 10}, {20, 2}, {40, 36}, {17, 10}}) {
    const auto of = [&](const std::function<int64_t(int64_t)>& rule) {
      return of_numbers(rule, form.first, form.second);
    };
    EXPECT_EQ(of([](int64_t n) { return 3 * n; }), "times 3");
    EXPECT_EQ(of([](int64_t n) { return n + 7; }), "plus 7");
    EXPECT_EQ(of([](int64_t n) { return n - 5; }), "minus 5");
    EXPECT_EQ(of([](int64_t n) { return 2 * n + 1; }), "times 2 plus 1");
    EXPECT_EQ(of([](int64_t n) { return n / 2; }), "divided by 2");
    EXPECT_EQ(of([](int64_t) { return 77; }), "set to 77");
  }
}

TEST(Describe, SaysNothingWhereThereIsNoSimpleRule) {
  EXPECT_EQ(of_numbers([](int64_t n) { return n * n % 991; }), "");
  EXPECT_EQ(of_numbers([](int64_t n) { return n; }), "");
  for (const Space& space :
       {number_space(6), grid_space(3, 4, 5), sequence_space(8, 20), image_space(6, 6, 3), vector_space(5)}) {
    EXPECT_EQ(make_view(space)->describe({}, 0.8), "");
    std::vector<Change> same, unrelated;
    for (uint64_t seed = 0; seed < 6; ++seed) {
      same.emplace_back(sample_observation(space, seed), sample_observation(space, seed));
      unrelated.emplace_back(sample_observation(space, seed), sample_observation(space, seed + 100));
    }
    EXPECT_EQ(make_view(space)->describe(same, 0.8), "") << describe(space);
    EXPECT_EQ(make_view(space)->describe(unrelated, 0.8), "") << describe(space);
  }
}

TEST(Describe, AFewExceptionsAreAllowed) {
  EXPECT_EQ(of_numbers([](int64_t n) { return n == 44 ? 1 : 3 * n; }), "times 3");
  EXPECT_EQ(of_numbers([](int64_t n) { return n == 44 || n == 8 ? 1 : 3 * n; }), "");
}

// Grids without symmetries: something in the middle of `background`.
std::vector<Values> some_grids(int rows, int columns, double background) {
  std::vector<Values> grids;
  for (int seed = 1; seed < 5; ++seed) {
    Values grid(static_cast<size_t>(rows * columns), background);
    for (int r = 3; r < 6; ++r)
      for (int c = 3; c < 5; ++c)
        grid[static_cast<size_t>(r * columns + c)] = static_cast<double>((seed + 3 * r + 5 * c) % 9);
    grids.push_back(grid);
  }
  return grids;
}

using CellRule = std::function<double(const std::function<double(int, int)>& at, int row, int column)>;

std::string of_grids(const CellRule& cell, int rows = 10, int columns = 10, double background = 0) {
  return words_for(grid_space(rows, columns, 9), some_grids(rows, columns, background),
                   [&](const Values& before) {
                     const auto at = [&](int r, int c) {
                       if (r < 0 || r >= rows || c < 0 || c >= columns) return background;
                       return before[static_cast<size_t>(r * columns + c)];
                     };
                     Values after;
                     for (int r = 0; r < rows; ++r)
                       for (int c = 0; c < columns; ++c) after.push_back(cell(at, r, c));
                     return after;
                   });
}

TEST(Describe, FindsWhereTheCellsOfAGridGo) {
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r + 1, c); }), "up 1");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r - 2, c - 1); }), "down 2 right 1");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r, 9 - c); }), "flip left-right");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(9 - c, r); }), "rotate 90 clockwise");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(c, r); }), "transpose");
}

TEST(Describe, GridsNeedNotBeSquareNorHaveABackgroundOfZero) {
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r, c + 1); }, 12, 7), "left 1");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r, c + 1); }, 12, 7, 8), "left 1");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(11 - r, c); }, 12, 7), "flip top-bottom");
  EXPECT_EQ(of_grids([](auto&, int, int) { return 8.0; }, 12, 7, 8), "erase all");
}

TEST(Describe, FindsShiftsAroundTheEdge) {
  const Space space = grid_space(4, 5, 7);
  std::vector<Values> grids;
  for (uint64_t seed = 0; seed < 5; ++seed)
    grids.push_back(values_of(space, sample_observation(space, seed)));
  EXPECT_EQ(words_for(space, grids,
                      [](const Values& before) {
                        Values after(20);
                        for (size_t i = 0; i < 20; ++i) after[i] = before[(i + 5) % 20];
                        return after;
                      }),
            "up 1 around the edge");
}

TEST(Describe, FindsWhichColoursChange) {
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return at(r, c) == 3 ? 5 : at(r, c); }), "colour 3 to 5");
  EXPECT_EQ(of_grids([](auto&, int, int) { return 0; }), "erase all");
  EXPECT_EQ(of_grids([](auto& at, int r, int c) { return std::fmod(at(r, c) + 1, 9); }), "recolour");
}

TEST(Describe, TellsWhichChannelOfAGridChanges) {
  const Space space{.kind = Kind::categorical, .layout = Layout::grid, .shape = {3, 4, 2}, .values = {5, 3}};
  std::vector<Values> grids;
  for (uint64_t seed = 0; seed < 5; ++seed)
    grids.push_back(values_of(space, sample_observation(space, seed)));
  EXPECT_EQ(words_for(space, grids,
                      [](Values grid) {
                        for (size_t i = 1; i < grid.size(); i += 2)
                          if (grid[i] == 1) grid[i] = 2;
                        return grid;
                      }),
            "channel 2: 1 to 2");
}

TEST(Describe, APaddedGridTurnsWithinItsOwnSize) {
  Space space = grid_space(6, 6, 5);
  space.padded = true;
  const auto view = make_view(space);
  const auto change = [&](const char* x, const char* y) { return Change{view->parse(x), view->parse(y)}; };
  EXPECT_EQ(view->describe({change("012\n130", "21.\n031"), change("31\n20\n01", "13\n02\n10")}, 1),
            "flip left-right");
  EXPECT_EQ(view->describe({change("012\n130", "10\n31\n02"), change("31\n20\n01", "023\n101")}, 1),
            "rotate 90 clockwise");
}

std::string of_sequences(const Rule& rule) {
  std::vector<Values> inputs;
  for (uint64_t seed = 0; seed < 6; ++seed)
    inputs.push_back(values_of(sequence_space(7, 20), sample_observation(sequence_space(7, 20), seed)));
  return words_for(sequence_space(7, 20), inputs, rule);
}

TEST(Describe, FindsTheRuleOfSequences) {
  EXPECT_EQ(of_sequences([](Values t) { return std::reverse(t.begin(), t.end()), t; }), "reverse");
  EXPECT_EQ(of_sequences([](Values t) { return std::swap(t.front(), t.back()), t; }), "swap first and last");
  EXPECT_EQ(of_sequences([](Values t) { return std::rotate(t.begin(), t.begin() + 2, t.end()), t; }),
            "rotate left 2");
  EXPECT_EQ(of_sequences([](Values t) { return std::rotate(t.begin(), t.end() - 1, t.end()), t; }),
            "rotate right 1");
  EXPECT_EQ(of_sequences([](Values t) { return std::sort(t.begin(), t.end()), t; }), "sort ascending");
  EXPECT_EQ(of_sequences([](Values t) {
              for (double& token : t) token = std::fmod(token + 3, 20);
              return t;
            }),
            "plus 3 (mod 20)");
  EXPECT_EQ(of_sequences([](Values t) {
              for (double& token : t) token = std::fmod(token + 19, 20);
              return t;
            }),
            "minus 1 (mod 20)");
  EXPECT_EQ(of_sequences([](Values t) { return std::replace(t.begin(), t.end(), 5.0, 9.0), t; }), "5 to 9");
  EXPECT_EQ(of_sequences([](Values t) { return t.insert(t.begin(), 4.0), t.pop_back(), t; }), "shift right 1");
  EXPECT_EQ(of_sequences([](Values t) { return t.erase(t.begin()), t.push_back(0.0), t; }), "shift left 1");
}

TEST(Describe, SequencesMayChangeTheirLength) {
  const auto view = make_view(letter_space(8, 26));
  const auto of = [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::vector<Change> changes;
    for (const auto& [x, y] : pairs) changes.emplace_back(view->parse(x), view->parse(y));
    return view->describe(changes, 1);
  };
  EXPECT_EQ(of({{"abc", "abcabc"}, {"xy", "xyxy"}}), "repeat all");
  EXPECT_EQ(of({{"abc", "aabbcc"}, {"xy", "xxyy"}}), "double every token");
  EXPECT_EQ(of({{"abc", "bc"}, {"xyz", "yz"}}), "drop first");
  EXPECT_EQ(of({{"abc", "abcq"}, {"xy", "xyq"}}), "append q");
  EXPECT_EQ(of({{"abca", "zbcz"}, {"xya", "xyz"}}), "a to z");
}

// Smooth, so that neighbours are alike as in photographs.
std::vector<Values> some_images(size_t side, size_t channels) {
  std::vector<Values> images;
  for (size_t seed = 0; seed < 5; ++seed) {
    Values image;
    for (size_t r = 0; r < side; ++r)
      for (size_t c = 0; c < side; ++c)
        for (size_t k = 0; k < channels; ++k)
          image.push_back(
              std::floor(120 + 60 * std::sin(0.7 * static_cast<double>(r + seed) + static_cast<double>(k)) +
                         40 * std::cos(0.9 * static_cast<double>(c * (k + 1)) + static_cast<double>(seed))));
    images.push_back(image);
  }
  return images;
}

std::string of_images(const Rule& rule, size_t side = 16, size_t channels = 3) {
  const auto size = static_cast<int64_t>(side);
  return words_for(image_space(size, size, static_cast<int64_t>(channels)), some_images(side, channels),
                   rule);
}

Rule each_level(const std::function<double(double)>& level) {
  return [=](Values image) {
    for (double& value : image) value = std::round(std::clamp(level(value), 0.0, 255.0));
    return image;
  };
}

TEST(Describe, FindsHowTheLevelsOfImagesChange) {
  EXPECT_EQ(of_images(each_level([](double v) { return v + 25; })), "brighter by about 10%");
  EXPECT_EQ(of_images(each_level([](double v) { return v - 51; })), "darker by about 20%");
  EXPECT_EQ(of_images(each_level([](double v) { return 0.5 * v; })), "darker, about 0.5 times as bright");
  EXPECT_EQ(of_images(each_level([](double v) { return 128 + 1.5 * (v - 128); })),
            "more contrast, about 1.5 times");
  EXPECT_EQ(of_images(each_level([](double v) { return 255 - v; })), "invert");
  EXPECT_EQ(of_images(each_level([](double v) { return v + 25; }), 16, 1), "brighter by about 10%");
}

TEST(Describe, FindsHowTheColoursOfImagesChange) {
  const auto each_pixel = [](const std::function<void(double*)>& change) {
    return [=](Values image) {
      for (size_t i = 0; i < image.size(); i += 3) change(&image[i]);
      return image;
    };
  };
  EXPECT_EQ(of_images(each_pixel([](double* p) { std::swap(p[0], p[2]); })), "swap red and blue");
  EXPECT_EQ(of_images(each_pixel([](double* p) {
              p[0] = p[1] = p[2] = std::round(0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]);
            })),
            "make grey");
}

TEST(Describe, FindsMovesAndBlurOfImages) {
  const auto from = [](const std::function<size_t(size_t, size_t)>& source) {
    return [=](const Values& image) {
      Values out;
      for (size_t r = 0; r < 16; ++r)
        for (size_t c = 0; c < 16; ++c)
          for (size_t k = 0; k < 3; ++k) out.push_back(image[3 * source(r, c) + k]);
      return out;
    };
  };
  EXPECT_EQ(of_images(from([](size_t r, size_t c) { return r * 16 + 15 - c; })), "flip left-right");
  EXPECT_EQ(of_images(from([](size_t r, size_t c) { return (15 - c) * 16 + r; })), "rotate 90 clockwise");
  EXPECT_EQ(of_images(from([](size_t r, size_t c) { return std::min<size_t>(15, r + 2) * 16 + c; })), "up 2");
  EXPECT_EQ(of_images([](const Values& image) {
              Values out;
              for (size_t i = 0; i < image.size(); ++i) {
                double sum = 0;
                for (size_t k : {i, i + 3, i - 3, i + 48, i - 48}) sum += image[k < image.size() ? k : i];
                out.push_back(std::floor(sum / 5));
              }
              return out;
            }),
            "blur");
}

TEST(Describe, TellsHowMuchOfAnImageChangesWhereNothingElseIsKnown) {
  EXPECT_EQ(of_images([](Values image) {
              for (size_t i = 0; i < image.size() / 4; ++i) image[i] = std::fmod(image[i] * 7 + 40, 256);
              return image;
            }),
            "changes about 25% of the pixels");
}

std::string of_vectors(const Rule& rule, int64_t numbers = 4) {
  std::vector<Values> inputs;
  for (uint64_t seed = 0; seed < 7; ++seed)
    inputs.push_back(values_of(vector_space(numbers), sample_observation(vector_space(numbers), seed)));
  return words_for(vector_space(numbers), inputs, rule);
}

TEST(Describe, FindsTheRuleOfVectors) {
  EXPECT_EQ(of_vectors([](Values x) { return x[2] += 0.5, x; }), "adds 0.5 to x3");
  EXPECT_EQ(of_vectors([](Values x) { return x[2] = 0, x; }), "sets x3 to 0");
  EXPECT_EQ(of_vectors([](Values x) { return x[0] *= 3, x; }), "scales x1 by 3");
  EXPECT_EQ(of_vectors([](Values x) { return std::swap(x[0], x[3]), x; }), "swaps x1 and x4");
  EXPECT_EQ(of_vectors([](Values x) { return x[1] = std::sin(5 * x[1]), x; }), "changes x2");
  EXPECT_EQ(of_vectors([](Values x) { return x[0] += 1, x[1] -= 0.5, x[2] += 0.25, x[3] += 2, x; }),
            "adds (1, -0.5, 0.25, 2)");
  const auto scaled = [](double factor) {
    return [=](Values x) {
      for (double& value : x) value *= factor;
      return x;
    };
  };
  EXPECT_EQ(of_vectors(scaled(2)), "scales by 2");
  EXPECT_EQ(of_vectors(scaled(-1)), "negates");
  EXPECT_EQ(of_vectors(scaled(0)), "sets all to 0");
  EXPECT_EQ(of_vectors([](Values x) { return std::reverse(x.begin(), x.end()), x; }, 6), "reverse");
  EXPECT_EQ(of_vectors([](Values x) { return x[0] += 2, x; }, 1), "adds 2");
  EXPECT_EQ(of_vectors([](Values x) {
              for (double& value : x) value -= 0.5;
              return x;
            }),
            "adds -0.5 to all");
}

}  // namespace
}  // namespace neo
