#include "worlds/parse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

std::string complaint(const World& world, const std::string& text) {
  return testing::error_of([&] { parse_observation(world, text); });
}

TEST(ParseObservation, NumbersAreFilledWithZeros) {
  EXPECT_EQ(parse_observation(arithmetic(), "42"), (Observation{0, 0, 0, 0, 4, 2}));
  EXPECT_EQ(parse_observation(arithmetic(), " 0000999999\n"), (Observation{9, 9, 9, 9, 9, 9}));
  EXPECT_EQ(parse_observation(arithmetic(), "0"), Observation(6, 0));
}

TEST(ParseObservation, BadNumbersAreExplained) {
  EXPECT_NE(complaint(arithmetic(), "1234567").find("7 digits"), std::string::npos);
  EXPECT_NE(complaint(arithmetic(), "-5").find("negative"), std::string::npos);
  for (const char* text : {"12a", "1.5", "0x10", "-", "1e3", "١"})
    EXPECT_NE(complaint(arithmetic(), text).find("not a number"), std::string::npos) << text;
  EXPECT_NE(complaint(arithmetic(), "  ").find("missing"), std::string::npos);
  EXPECT_LT(complaint(arithmetic(), std::string(100000, '7')).size(), 200u);
}

TEST(ParseObservation, GridsAreTextOrJson) {
  std::string text, json = "[";
  for (int y = 0; y < 10; ++y) {
    text += "0000003000\n";
    json += std::string(y ? "," : "") + "[0,0,0,0,0,0,3,0,0,0]";
  }
  EXPECT_EQ(parse_observation(gridworld(), text), parse_observation(gridworld(), json + "]"));
  std::string drawn = text;
  std::replace(drawn.begin(), drawn.end(), '0', '.');
  EXPECT_EQ(parse_observation(gridworld(), drawn), parse_observation(gridworld(), text));
  EXPECT_NE(complaint(gridworld(), "000").find("3 cells"), std::string::npos);
  EXPECT_NE(complaint(gridworld(), std::string(100, '9')).find("0 (empty) to 8"), std::string::npos);
}

TEST(ParseObservation, AtSignReadsAFile) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "n.txt", "17\n");
  EXPECT_EQ(parse_observation(arithmetic(), "@" + (folder / "n.txt").string()),
            (Observation{0, 0, 0, 0, 1, 7}));
  EXPECT_NE(complaint(arithmetic(), "@" + (folder / "none").string()).find("none"), std::string::npos);
}

}  // namespace
}  // namespace neo
