#include "explain/program_run.h"

#include <gtest/gtest.h>

namespace neo {
namespace {
using nlohmann::json;

json bytes_of(ObservationView o) { return std::vector<int>(o.begin(), o.end()); }

TEST(ProgramRun, ItsRecordSaysEverythingAndWritesObservationsAsTold) {
  const ProgramRun run{.codes = {3, 1},
                       .trace = {{0, 1, 2}, {1, 2, 3}, {255, 0, 7}},
                       .losses = {0.125, 1.0 / 3.0},
                       .exact = false,
                       .explained = true,
                       .log_probability = -0.1};
  const json record = json::parse(to_json(run, bytes_of).dump());
  EXPECT_EQ(record["codes"], json({3, 1}));
  EXPECT_EQ(record["trace"], json({{0, 1, 2}, {1, 2, 3}, {255, 0, 7}}));
  EXPECT_EQ(record["losses"], json({0.125, 1.0 / 3.0}));
  EXPECT_EQ(record["exact"], false);
  EXPECT_EQ(record["explained"], true);
  EXPECT_EQ(record["log_probability"], -0.1);
}

TEST(ProgramRun, WithoutCodesItIsOneObservation) {
  const json record = to_json(ProgramRun{.trace = {{1, 2}}}, bytes_of);
  EXPECT_TRUE(record["codes"].empty() && record["codes"].is_array());
  EXPECT_TRUE(record["losses"].empty() && record["losses"].is_array());
  EXPECT_EQ(record["trace"], json::array({{1, 2}}));
}

TEST(ExplanationRecord, HasItsAlternativesAndLengths) {
  Explanation e;
  e.run = {.codes = {1}, .trace = {{0}, {1}}, .losses = {0.5}, .exact = true, .explained = true};
  e.mass = 0.75;
  e.reason = "one step gives y exactly";
  e.lengths = {{1, 0.5, 0.45, true}};
  e.alternatives = {{{.codes = {2, 2}, .trace = {{0}, {2}, {1}}}, 0.25}};
  const json record = to_json(e, bytes_of);
  EXPECT_EQ(record["explained"], true);
  EXPECT_EQ(record["mass"], 0.75);
  EXPECT_EQ(record["reason"], e.reason);
  EXPECT_EQ(record["run"]["codes"], json({1}));
  EXPECT_EQ(record["lengths"][0]["weighted"], 0.45);
  EXPECT_EQ(record["lengths"][0]["length"], 1);
  EXPECT_EQ(record["alternatives"][0]["mass"], 0.25);
  EXPECT_EQ(record["alternatives"][0]["run"]["codes"], json({2, 2}));
}

}  // namespace
}  // namespace neo
