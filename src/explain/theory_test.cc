#include "explain/theory.h"

#include <gtest/gtest.h>

#include "core/testing.h"

namespace neo {
namespace {
using nlohmann::json;

Theory two_steps() { return {{3, 1}, {{0, 1, 2}, {1, 2, 3}, {255, 0, 7}}, {0.125, 1.0 / 3.0}, true, -0.1}; }

TEST(Theory, ComesBackFromItsJson) {
  const Theory theory = two_steps();
  const Theory back = theory_from_json(json::parse(to_json(theory).dump()));
  EXPECT_EQ(back.codes, theory.codes);
  EXPECT_EQ(back.trace, theory.trace);
  EXPECT_EQ(back.losses, theory.losses);
  EXPECT_EQ(back.exact, theory.exact);
  EXPECT_EQ(back.log_probability, theory.log_probability);
}

TEST(Theory, ComesBackWithoutLossesAndWithoutCodes) {
  Theory theory = two_steps();
  theory.losses.clear();
  EXPECT_TRUE(theory_from_json(to_json(theory)).losses.empty());
  const Theory nothing{{}, {{1, 2}}, {}, false, 0};
  EXPECT_EQ(theory_from_json(to_json(nothing)).trace, nothing.trace);
}

// What is said about a theory's JSON with one field replaced.
std::string complaint(const char* name, const json& value) {
  json record = to_json(two_steps());
  record[name] = value;
  return testing::error_of([&] { theory_from_json(record); });
}

TEST(Theory, AMissingFieldIsNamed) {
  for (const char* name : {"codes", "trace", "losses", "exact", "log_probability"}) {
    json record = to_json(two_steps());
    record.erase(name);
    EXPECT_CONTAINS(testing::error_of([&] { theory_from_json(record); }), name);
  }
}

TEST(Theory, AWrongFieldIsNamedInOneLine) {
  EXPECT_CONTAINS(complaint("codes", "z3"), "'codes'");
  EXPECT_CONTAINS(complaint("codes", json::parse("[1e300, 2]")), "'codes'");
  EXPECT_CONTAINS(complaint("codes", json::parse("[-1, 2]")), "'codes'");
  EXPECT_CONTAINS(complaint("codes", json::parse("[99999999999999999999, 2]")), "'codes'");
  EXPECT_CONTAINS(complaint("trace", json::parse("[[1],[256],[0]]")), "'trace'");
  EXPECT_CONTAINS(complaint("trace", json::parse("[[1],{\"a\":1},[0]]")), "'trace'");
  EXPECT_CONTAINS(complaint("trace", json::parse("[[1],[1]]")), "2 codes and 2 observations");
  EXPECT_CONTAINS(complaint("trace", json::parse("[[1],[1],[1,2]]")), "differ in size");
  EXPECT_CONTAINS(complaint("losses", json::parse("[null, 1]")), "'losses'");
  EXPECT_CONTAINS(complaint("losses", json::parse("[1]")), "1 losses");
  EXPECT_CONTAINS(complaint("exact", 1), "'exact'");
  EXPECT_CONTAINS(complaint("log_probability", "x"), "'log_probability'");
  EXPECT_EQ(complaint("codes", json::parse("[\"a\\nb\"]")).find('\n'), std::string::npos);
}

TEST(Theory, AnythingButAnObjectIsNoTheory) {
  for (const char* text : {"null", "[]", "3", "\"theory\"", "[[[[]]]]"})
    EXPECT_CONTAINS(testing::error_of([&] { theory_from_json(json::parse(text)); }), "JSON object");
}

}  // namespace
}  // namespace neo
