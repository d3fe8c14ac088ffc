#include "data/import.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "data/testing.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

class Import : public testing::ImportTest {
 protected:
  // `count` pairs of numbers, `group` after them where given.
  void put_numbers(const std::string& name, int count, const std::function<std::string(int)>& group = {},
                   int first = 0) const {
    std::string text = group ? "x,y,group\n" : "x,y\n";
    for (int i = first; i < first + count; ++i)
      text += group ? fmt::format("{},{},{}\n", i, 2 * i, group(i)) : fmt::format("{},{}\n", i, 2 * i);
    put(name, text);
  }
  ImportReport import_held_out(const std::vector<std::string>& names, double share,
                               uint64_t seed = 42) const {
    ImportOptions wanted = options(names);
    wanted.hold_out = share;
    wanted.seed = seed;
    return import_pairs(wanted);
  }
  static std::string all(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, " | "));
  }
};

TEST_F(Import, SingleIndependentPairsAreHeldOut) {
  put_numbers("n.csv", 1000);
  const ImportReport report = import_held_out({"n.csv"}, 0.1);
  EXPECT_EQ(report.info.pairs, 900);
  EXPECT_EQ(report.info.held_out, 100);
  EXPECT_EQ(report.unit, "different pairs");
  EXPECT_EQ(report.shared, 0);
  const std::string other = import_held_out({"n.csv"}, 0.1, 43).info.digest;
  EXPECT_NE(report.info.digest, other);
  EXPECT_EQ(import_held_out({"n.csv"}, 0.1).info.digest, report.info.digest);
}

TEST_F(Import, DuplicatesStayOnOneSide) {
  std::string text = "x,y\n";
  for (int i = 0; i < 400; ++i)
    text += fmt::format("{},{}\n", i % 100, i < 200 ? "07" : "7");  // the same number
  put("n.csv", text);
  const ImportReport report = import_held_out({"n.csv"}, 0.5);
  EXPECT_EQ(report.duplicates, 300);
  EXPECT_EQ(report.info.held_out, 200);
  EXPECT_EQ(report.shared, 0);
  std::set<Observation> held;
  PairReader reader(folder_ / "out.h5");
  for (int64_t i = 0; i < 200; ++i) held.insert(reader.pair(Part::held_out, i).x);
  EXPECT_EQ(held.size(), 50u);
  for (int64_t i = 0; i < 200; ++i) EXPECT_FALSE(held.contains(reader.pair(Part::main, i).x));
}

TEST_F(Import, GroupsAreHeldOutWhole) {
  put_numbers("n.csv", 200, [](int i) { return fmt::format("g{}", i / 10); });
  const ImportReport report = import_held_out({"n.csv"}, 0.25);
  EXPECT_EQ(report.units, 20);
  EXPECT_EQ(report.held_units, 5);
  EXPECT_EQ(report.info.held_out, 50);
  PairReader reader(folder_ / "out.h5");
  std::set<int32_t> held, kept;
  for (int64_t i = 0; i < 50; ++i) held.insert(reader.pair(Part::held_out, i).group);
  for (int64_t i = 0; i < 150; ++i) kept.insert(reader.pair(Part::main, i).group);
  EXPECT_EQ(held.size(), 5u);
  EXPECT_EQ(kept.size(), 15u);
  for (int32_t group : held) EXPECT_FALSE(kept.contains(group));
}

TEST_F(Import, FilesAreHeldOutWholeWhereThereAreSeveral) {
  for (int i = 0; i < 4; ++i) put_numbers(fmt::format("n{}.csv", i), 50, {}, 1000 + 50 * i);
  const ImportReport report = import_held_out({"n0.csv", "n1.csv", "n2.csv", "n3.csv"}, 0.1);
  EXPECT_EQ(report.unit, "files");
  EXPECT_EQ(report.held_units, 1);
  EXPECT_EQ(report.info.held_out, 50);
  EXPECT_EQ(report.info.pairs, 150);
  std::set<double> tens;
  for (int64_t i = 0; i < 50; ++i)
    tens.insert(std::floor((x(i, Part::held_out)[1] * 100 + x(i, Part::held_out)[2] * 10) / 50));
  EXPECT_EQ(tens.size(), 1u);
}

TEST_F(Import, ATrajectoryIsHeldOutWhole) {
  std::vector<uint8_t> steps, episodes;
  for (int i = 0; i < 300; ++i) {
    steps.push_back(static_cast<uint8_t>(i / 30));
    episodes.push_back(static_cast<uint8_t>(i / 30));
  }
  testing::write_zip(folder_ / "t.npz",
                     {{"observations.npy", testing::npy_bytes("|u1", "(300, 1)", testing::raw_bytes(steps))},
                      {"episode.npy", testing::npy_bytes("|u1", "(300,)", testing::raw_bytes(episodes))}});
  const ImportReport report = import_held_out({"t.npz"}, 0.2);
  EXPECT_EQ(report.held_units, 2);
  std::set<double> held;
  for (int64_t i = 0; i < report.info.held_out; ++i) held.insert(x(i, Part::held_out)[0]);
  EXPECT_EQ(held.size(), 2u);
  EXPECT_CONTAINS(all(report.warnings), "y equals x");
}

TEST_F(Import, AtLeastOneUnitIsHeldOutButNeverAll) {
  put_numbers("n.csv", 2);
  EXPECT_EQ(import_held_out({"n.csv"}, 0.01).info.held_out, 1);
  EXPECT_EQ(import_held_out({"n.csv"}, 0.99).info.held_out, 1);
  EXPECT_EQ(import_held_out({"n.csv"}, 0).info.held_out, 0);
  put_numbers("n.csv", 1);
  const ImportReport report = import_held_out({"n.csv"}, 0.1);
  EXPECT_EQ(report.info.held_out, 0);
  EXPECT_CONTAINS(all(report.warnings), "nothing was held out");
}

TEST_F(Import, OwnFilesComeBackAsTheyAre) {
  put("words.csv", "x,y,group,program\nabc,cb,1,swap\nba,ab,1,swap\nb,a,2,\n");
  import({"words.csv"});
  const PairFileInfo first = PairReader(folder_ / "out.h5").info();
  fs::rename(folder_ / "out.h5", folder_ / "first.h5");
  const ImportReport again = import({"first.h5"});
  EXPECT_EQ(again.info.space, first.space);
  EXPECT_EQ(again.info.digest, first.digest);
  ImportOptions as_grid = options({"first.h5"});
  as_grid.as = Layout::grid;
  EXPECT_CONTAINS(complaint(as_grid), "says itself what its observations are");
  EXPECT_CONTAINS(complaint(options({"first.h5", "words.csv"})), "different observations");
}

TEST_F(Import, WhatLooksWrongIsWarnedOf) {
  std::string same = "x,y\n", constant = "x,y\n";
  for (int i = 0; i < 120; ++i) {
    same += "12,12\n";
    constant += fmt::format("5,{}\n", i);
  }
  put("same.csv", same);
  put("constant.csv", constant);
  put_numbers("few.csv", 5, [](int i) { return std::to_string(i % 2); });
  const ImportReport equal = import({"same.csv"});
  EXPECT_EQ(equal.unchanged, 1.0);
  EXPECT_CONTAINS(all(equal.warnings), "all pairs are the same");
  EXPECT_CONTAINS(all(equal.warnings), "y equals x");
  EXPECT_CONTAINS(all(import({"constant.csv"}).warnings), "x is the same in all pairs");
  EXPECT_CONTAINS(all(import({"few.csv"}).warnings), "only 5 pairs");
  EXPECT_CONTAINS(all(import({"few.csv"}).warnings), "only 2 groups");
  put_numbers("right.csv", 500);
  EXPECT_EQ(all(import_held_out({"right.csv"}, 0.1).warnings), "");
}

TEST_F(Import, PairsThatAreOnBothSidesAreCounted) {
  std::string text = "x,y,group\n";
  for (int i = 0; i < 200; ++i) text += fmt::format("{},1,{}\n", i % 10, i / 10);
  put("n.csv", text);
  const ImportReport report = import_held_out({"n.csv"}, 0.1);
  EXPECT_EQ(report.shared, 20);
  EXPECT_CONTAINS(all(report.warnings), "20 of the pairs held out also occur");
}

TEST_F(Import, TheParagraphSaysWhatWasUnderstood) {
  put_numbers("n.csv", 500);
  const std::string text = import_held_out({"n.csv"}, 0.1).paragraph();
  std::string one_line = text;
  std::ranges::replace(one_line, '\n', ' ');
  EXPECT_CONTAINS(one_line, "500 pairs");
  EXPECT_CONTAINS(one_line, "(number of 3 digits)");
  EXPECT_CONTAINS(one_line, "Held out: 50 pairs (50 of 500 different pairs)");
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    EXPECT_TRUE(line.size() <= 80 || line.find(' ') == std::string::npos) << line;
    at = end + 1;
  }
}

TEST_F(Import, TheJsonHasTheSameFigures) {
  put_numbers("n.csv", 500);
  const nlohmann::json json = import_held_out({"n.csv"}, 0.1).json();
  EXPECT_EQ(json["pairs"], 500);
  EXPECT_EQ(json["held_out"], 50);
  EXPECT_EQ(json["space"]["layout"], "number");
  EXPECT_EQ(json["duplicates"], 0);
  EXPECT_EQ(json["unchanged"], 1.0 / 500);
}

TEST_F(Import, OptionsThatCannotBeAreUsageErrors) {
  put_numbers("n.csv", 5);
  const auto expect_usage = [&](const std::function<void(ImportOptions&)>& change) {
    ImportOptions wrong = options({"n.csv"});
    change(wrong);
    EXPECT_THROW(import_pairs(wrong), UsageError);
  };
  expect_usage([](ImportOptions& o) { o.out.clear(); });
  expect_usage([](ImportOptions& o) { o.hold_out = 1; });
  expect_usage([](ImportOptions& o) { o.hold_out = std::nan(""); });
  expect_usage([](ImportOptions& o) { o.least_lag = 0; });
  expect_usage([](ImportOptions& o) { o.least_lag = 4; });
  expect_usage([](ImportOptions& o) { o.most_lag = 1000; });
  expect_usage([](ImportOptions& o) { o.values = 1; });
  expect_usage([](ImportOptions& o) { o.sources.clear(); });
  expect_usage([](ImportOptions& o) { o.out = o.sources[0]; });
  expect_usage([](ImportOptions& o) { o.field = "image"; });
}

TEST_F(Import, AFileThatIsReadIsNeverWritten) {
  put_numbers("folder/a.csv", 20);
  put_numbers("folder/b.csv", 20);
  const std::string before = read_file(folder_ / "folder/a.csv");
  fs::create_symlink("folder/a.csv", folder_ / "link.h5");
  for (const char* out : {"folder/a.csv", "link.h5"}) {
    ImportOptions over = options({"folder"});
    over.out = folder_ / out;
    EXPECT_CONTAINS(testing::error_of([&] { import_pairs(over); }), "a.csv cannot be source and --out at once") << out;
  }
  EXPECT_EQ(read_file(folder_ / "folder/a.csv"), before);
}

TEST_F(Import, PipesAreNeitherReadNorWritten) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.csv").c_str(), 0600), 0);
  EXPECT_CONTAINS(complaint("pipe.csv"), "is a device or a pipe, and sources are read twice; save it as a file");
  ImportOptions to_pipe = options({"none.csv"});  // refused before anything is read
  to_pipe.out = folder_ / "pipe.csv";
  EXPECT_CONTAINS(testing::error_of([&] { import_pairs(to_pipe); }), "it is a device or a pipe; name a regular file");
}

TEST_F(Import, UnknownSourcesSayWhatIsExpected) {
  put("a.txt", "hello");
  EXPECT_CONTAINS(complaint("a.txt"), ".npz, two .npy, .json");
  EXPECT_CONTAINS(complaint("absent.csv"), "does not exist");
  put("a.pkl", "\x80\x04");
  EXPECT_CONTAINS(complaint("a.pkl"), "never opened");
  fs::create_directory(folder_ / "mixed");
  put("mixed/a.csv", "x,y\n1,2\n");
  put("mixed/a.json", "[]");
  EXPECT_CONTAINS(complaint("mixed"), "several formats (.csv, .json)");
}

TEST_F(Import, AFullDiskLeavesNothing) {
  std::string text = "x,y\n";
  for (int i = 0; i < 50000; ++i)
    text += fmt::format("{},{}\n", i, (int64_t{i} * 7919 * 104729) % 1000000007);
  put("n.csv", text);
  const testing::FullDisk disk(1 << 12);
  const std::string message = testing::error_of([&] { import({"n.csv"}); });
  EXPECT_CONTAINS(message, "free some");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace neo
