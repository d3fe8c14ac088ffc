#include "explain/present.h"

#include <gtest/gtest.h>

#include "core/golden.h"
#include "core/testing.h"
#include "explain/explain.h"
#include "explain/program_text.h"
#include "model/testing.h"

namespace neo {
namespace {

TEST(ProgramText, ComesBackFromWhatUsersWrite) {
  const std::vector<int64_t> codes{3, 1, 0};
  EXPECT_EQ(program_text(codes), "z3 z1 z0");
  for (const char* text : {"z3 z1 z0", "3,1,0", " code3  z1,\n0 ", "z3, z1, z0"})
    EXPECT_EQ(parse_codes(text, 4), codes) << text;
}

TEST(ProgramText, WhatIsNoCodeIsNamed) {
  for (const char* text : {"z4", "-1", "z", "z3x", "zz1", "99999999999999999999", "\x1b[31m", "code"})
    EXPECT_CONTAINS(testing::error_of([&] { parse_codes(text, 4); }), "is no code");
  EXPECT_CONTAINS(testing::error_of([] { parse_codes(" , ", 4); }), "empty");
  EXPECT_CONTAINS(testing::error_of([] { parse_codes(std::string(5000, '1'), 4); }), "is no code");
  EXPECT_CONTAINS(testing::error_of([] {
                    std::string text;
                    for (int i = 0; i < 2000; ++i) text += "1 ";
                    parse_codes(text, 4);
                  }),
                  "2000 steps");
}

TEST(ProgramText, NamesAreShownAndReadBack) {
  const CodeNames names{"", "move up", "*5", "times 5 plus 1"};
  const std::vector<int64_t> codes{2, 0, 1, 3};
  EXPECT_EQ(program_text(codes, names), "z2 (×5) → z0 → z1 (move up) → z3 (times 5 plus 1)");
  for (const char* text : {"z2 (×5) → z0 → z1 (move up) → z3 (times 5 plus 1)", "*5, z0, Move Up, times 5 plus 1", "×5->0->move up->z3"})
    EXPECT_EQ(parse_codes(text, 4, names), codes) << text;
  EXPECT_EQ(parse_overrides("2=move up,3=×5 1=z0", 4, names), (std::map<int64_t, int64_t>{{1, 0}, {2, 1}, {3, 2}}));
}

TEST(ProgramText, ANameOfTwoCodesIsRefusedAndAnUnknownOneListsThoseThereAre) {
  const CodeNames names{"up", "up", "down"};
  EXPECT_CONTAINS(testing::error_of([&] { parse_codes("up", 3, names); }), "write z0 or z1");
  EXPECT_CONTAINS(testing::error_of([&] { parse_codes("dwn", 3, names); }), "up, up, down");
}

TEST(ParseOverrides, TakesStepsAndCodes) {
  EXPECT_EQ(parse_overrides("2=z3", 4), (std::map<int64_t, int64_t>{{2, 3}}));
  EXPECT_EQ(parse_overrides("2=3, 1=code0", 4), (std::map<int64_t, int64_t>{{1, 0}, {2, 3}}));
  EXPECT_TRUE(parse_overrides("", 4).empty());
  EXPECT_CONTAINS(testing::error_of([] { parse_overrides("2=z3,2=z1", 4); }), "step 2 is overridden twice");
}

TEST(ParseOverrides, SaysHowToWriteThem) {
  for (const char* text : {"z3", "=z3", "two=z3", "2:3"})
    EXPECT_CONTAINS(testing::error_of([&] { parse_overrides(text, 4); }), "STEP=CODE");
  EXPECT_CONTAINS(testing::error_of([] { parse_overrides("2=z9", 4); }), "z0 to z3");
}

TEST(Present, ChangedStepsAreThoseWhoseCodesDiffer) {
  ProgramRun a, b;
  a.codes = {1, 2, 3};
  b.codes = {1, 0, 3};
  EXPECT_EQ(changed_steps(b, a), std::vector<size_t>{2});
  b.codes = {1};
  EXPECT_EQ(changed_steps(a, b), (std::vector<size_t>{2, 3}));
}

TEST(Present, VerdictsAreInTheTermsOfTheObservations) {
  EXPECT_EQ(verdict(testing::number_space(), 0), "gives y exactly");
  EXPECT_EQ(verdict(testing::number_space(), 0.1), "does not give y");
  EXPECT_EQ(verdict(testing::image_space(), 0.2), "error 0.200");
}

// An explanation with its counterfactual, as it stands on a terminal.
TEST(Present, AnExplanationReadsAsInTheGoldenFile) {
  Neo model = testing::grid_theory();
  const Policy policy{.fallback = "mdl", .search = "beam", .temperature = 1.0};
  const Observation x = testing::grid_with(5, 5), y = testing::grid_with(3, 6);
  const Explanation e = explain(*model, x, y, policy, {.alternatives = 3});
  const ProgramRun other = run_program(*model, x, override_steps(e.run.codes, {{2, 3}}, 4), policy, &y);
  const auto view = make_view(testing::grid_space());
  const auto drawn = [&](const Strip& strip) {
    return strip.title + "\n" + terminal_panels(*view, panels_of(strip).panels, false, 0);
  };
  testing::expect_golden(
      "explanation.txt",
      drawn(strip_of(program_text(e.run.codes), e.run, y, {})) + length_text(e) + alternatives_text(e, {}) +
          drawn(strip_of(program_text(other.codes), other, y, {}, changed_steps(other, e.run))));
}

}  // namespace
}  // namespace neo
