#include "observe/pairs.h"

#include <gtest/gtest.h>

#include "core/testing.h"
#include "observe/tensors.h"

namespace neo {
namespace {

const Space kShort{.layout = Layout::sequence, .shape = {2}, .values = {200}};

// Pair `i` shows its number.
Pair numbered(int i, int32_t group, const std::string& program) {
  const auto value = static_cast<uint8_t>(i);
  return {{value, 0}, {value, 1}, group, program};
}

std::vector<int64_t> numbers_of(const Pairs& pairs) {
  const auto column = pairs.x.select(1, 0).to(torch::kLong).contiguous();
  return {column.data_ptr<int64_t>(), column.data_ptr<int64_t>() + column.size(0)};
}

struct PairFile {
  testing::TemporaryFolder folder;
  std::filesystem::path path = folder / "moves.h5";
  PairFile(const std::vector<Pair>& pairs, bool grouped, const std::vector<Pair>& held_out = {}) {
    PairWriter writer(path, {.space = kShort, .source = "test", .grouped = grouped});
    for (const Pair& pair : pairs) writer.add(pair);
    for (const Pair& pair : held_out) writer.add(pair, Part::held_out);
    writer.finish();
  }
};

// Groups of three, two and one pair in turn.
std::vector<Pair> groups_of_different_size(int groups) {
  std::vector<Pair> pairs;
  for (int32_t group = 0; group < groups; ++group)
    for (int i = 0; i < 3 - group % 3; ++i)
      pairs.push_back(numbered(static_cast<int>(pairs.size()), group, group % 2 ? "b" : "a"));
  return pairs;
}

TEST(LoadPairs, KeepsASupportPairAndItsQueryTogether) {
  const PairFile file(groups_of_different_size(6), /*grouped=*/true);
  const Pairs three = load_pairs(file.path, Part::main, 3);  // two of the first group, its third, two of the second
  EXPECT_EQ(three.group, (std::vector<int32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(numbers_of(three), (std::vector<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(three.program, (std::vector<std::string>{"a", "a", "a", "b", "b"}));
  EXPECT_EQ(load_pairs(file.path).size(), 12);
  EXPECT_EQ(load_pairs(file.path, Part::main, 8).size(), 12);
}

TEST(LoadPairs, GroupsMayBeInterleaved) {
  std::vector<Pair> mixed;
  for (int i = 0; i < 8; ++i) mixed.push_back(numbered(i, i % 4, "a"));
  const Pairs two = load_pairs(PairFile(mixed, /*grouped=*/true).path, Part::main, 2);
  EXPECT_EQ(numbers_of(two), (std::vector<int64_t>{0, 1, 4, 5}));
  EXPECT_EQ(two.group, (std::vector<int32_t>{0, 1, 0, 1}));
}

TEST(LoadPairs, AreSpreadOverAFileSortedByProgram) {
  std::vector<Pair> sorted, mixed;
  for (int i = 0; i < 12; ++i) {
    sorted.push_back(numbered(i, -1, std::string(1, static_cast<char>('a' + i / 4))));
    mixed.push_back(numbered(i, -1, std::string(1, static_cast<char>('a' + i % 3))));
  }
  EXPECT_EQ(numbers_of(load_pairs(PairFile(sorted, false).path, Part::main, 3)),
            (std::vector<int64_t>{0, 4, 8}));
  EXPECT_EQ(numbers_of(load_pairs(PairFile(mixed, false).path, Part::main, 3)),
            (std::vector<int64_t>{0, 1, 2}));
}

TEST(LoadPairs, AreSpreadOverAFileThatNamesNoPrograms) {
  std::vector<Pair> unnamed;
  for (int i = 0; i < 12; ++i) unnamed.push_back(numbered(i, -1, ""));
  EXPECT_EQ(numbers_of(load_pairs(PairFile(unnamed, false).path, Part::main, 3)), (std::vector<int64_t>{0, 4, 8}));
}

TEST(LoadPairs, GroupsOfASortedFileAreSpreadAndWhole) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 16; ++i) pairs.push_back(numbered(i, i / 2, i < 8 ? "a" : "b"));
  const Pairs two = load_pairs(PairFile(pairs, true).path, Part::main, 2);
  EXPECT_EQ(numbers_of(two), (std::vector<int64_t>{0, 1, 8, 9}));
  EXPECT_EQ(two.group, (std::vector<int32_t>{0, 0, 4, 4}));
}

TEST(LoadPairs, PairsWithoutGroupsHaveNoneAndUnknownProgramsAreEmpty) {
  const Pairs pairs = load_pairs(PairFile({numbered(1, -1, ""), numbered(2, -1, "a")}, false).path);
  EXPECT_TRUE(pairs.group.empty());
  EXPECT_EQ(pairs.program, (std::vector<std::string>{"", "a"}));
  EXPECT_EQ(pairs.name, "moves");
  EXPECT_TRUE(load_pairs(PairFile({numbered(1, -1, "")}, false).path).program.empty());
}

TEST(LoadPairs, ThoseHeldOutAreAPartOfTheirOwnAndStandForTheFile) {
  const PairFile file({numbered(1, -1, ""), numbered(2, -1, "")}, false, {numbered(7, -1, "")});
  EXPECT_EQ(numbers_of(load_pairs(file.path)), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(numbers_of(load_pairs(file.path, Part::held_out)), (std::vector<int64_t>{7}));
  EXPECT_EQ(numbers_of(load_evaluation_pairs(file.path)), (std::vector<int64_t>{7}));
  const PairFile all({numbered(1, -1, ""), numbered(2, -1, "")}, false);
  EXPECT_EQ(numbers_of(load_evaluation_pairs(all.path)), (std::vector<int64_t>{1, 2}));
  const std::string message = testing::error_of([&] { load_pairs(all.path, Part::held_out); });
  EXPECT_CONTAINS(message, "moves.h5");
  EXPECT_CONTAINS(message, "held out");
}

TEST(Pairs, KeepTheBytesOfWideElements) {
  const Space wide{.layout = Layout::sequence, .shape = {3}, .values = {1000}};
  const std::vector<double> tokens{0, 300, 999};
  const Observation o = observation_of(wide, tokens);
  const Pairs pairs = to_pairs("wide", wide, {{o, o}});
  ASSERT_EQ(pairs.x.scalar_type(), torch::kShort);
  EXPECT_TRUE(torch::equal(pairs.x[0].to(torch::kLong), torch::tensor({0, 300, 999})));
  EXPECT_EQ(to_observation(pairs.y), o);
  const Space real{.kind = Kind::real, .layout = Layout::vector, .shape = {2}};
  const Observation numbers = observation_of(real, std::vector<double>{0.5, -2.0});
  EXPECT_TRUE(torch::equal(to_pairs("real", real, {{numbers, numbers}}).x, torch::tensor({{0.5, -2.0}})));
}

TEST(Pairs, GroupsAndProgramsAreKeptWhereAnyPairHasOne) {
  const Pairs pairs = to_pairs("some", kShort, {numbered(1, -1, ""), numbered(2, 3, "a b")});
  EXPECT_EQ(pairs.group, (std::vector<int32_t>{-1, 3}));
  EXPECT_EQ(pairs.program, (std::vector<std::string>{"", "a b"}));
  EXPECT_NE(pairs.digest, to_pairs("some", kShort, {numbered(1, -1, ""), numbered(2, 3, "a")}).digest);
}

TEST(Pairs, ASubsampleIsEvenlySpread) {
  std::vector<Pair> list;
  for (int i = 0; i < 10; ++i) list.push_back(numbered(i, i, "p"));
  const Pairs few = subsample(to_pairs("ten", kShort, list), 3);
  EXPECT_EQ(numbers_of(few), (std::vector<int64_t>{0, 3, 6}));
  EXPECT_EQ(few.group, (std::vector<int32_t>{0, 3, 6}));
  EXPECT_EQ(subsample(few, 5).size(), 3);
}

TEST(RequireFit, SaysWhatEachSideIs) {
  const Pairs pairs = to_pairs("moves", kShort, {numbered(1, -1, "")});
  Space theory = kShort;
  require_fit(pairs, theory);
  theory.values = {201};  // it knows more values than occur
  require_fit(pairs, theory);
  theory.values = {100};
  const std::string message = testing::error_of([&] { require_fit(pairs, theory); });
  for (const auto& part : {std::string("moves"), describe(kShort), describe(theory)})
    EXPECT_CONTAINS(message, part);
}

}  // namespace
}  // namespace neo
