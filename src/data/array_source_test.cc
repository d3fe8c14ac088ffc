#include "data/array_source.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "data/testing.h"

namespace neo {
namespace {
using testing::npy_bytes;
using testing::raw_bytes;

class ArrayImport : public testing::ImportTest {
 protected:
  void put_npz(const std::map<std::string, std::string>& arrays) const {
    std::map<std::string, std::string> entries;
    for (const auto& [name, bytes] : arrays) entries[name + ".npy"] = bytes;
    testing::write_zip(folder_ / "data.npz", entries);
  }
  std::string complaint_about(const std::map<std::string, std::string>& arrays) const {
    put_npz(arrays);
    return complaint("data.npz");
  }
  static std::string bytes(const std::string& shape, const std::vector<uint8_t>& values) {
    return npy_bytes("|u1", shape, raw_bytes(values));
  }
};

TEST_F(ArrayImport, TwoFilesAreXAndY) {
  put("a.npy", npy_bytes("<i8", "(2, 2, 2)", raw_bytes<int64_t>({0, 1, 2, 3, 4, 5, 0, 0})));
  put("b.npy", npy_bytes("|u1", "(2, 2, 2)", raw_bytes<uint8_t>({0, 2, 1, 3, 4, 0, 5, 0}), true));
  EXPECT_EQ(describe(import({"a.npy", "b.npy"}).info.space), "2x2 grid of 6 values");
  EXPECT_EQ(x(1), (std::vector<double>{4, 5, 0, 0}));
  EXPECT_EQ(y(0), (std::vector<double>{0, 4, 1, 5}));
  EXPECT_CONTAINS(complaint(options({"a.npy"})), "name two");
}

TEST_F(ArrayImport, ArchivesMayNameGroupsAndPrograms) {
  put_npz({{"x", bytes("(2, 1)", {1, 2})},
           {"y", bytes("(2, 1)", {2, 3})},
           {"group", bytes("(2,)", {9, 9})},
           {"program", npy_bytes("|S4", "(2,)", std::string("up\0\0down", 8))}});
  const ImportReport report = import({"data.npz"});
  EXPECT_EQ(report.groups, 1);
  EXPECT_EQ(report.info.programs, (std::vector<std::string>{"up", "down"}));
}

TEST_F(ArrayImport, TrajectoriesEndWhereTheirNumberChanges) {
  std::vector<float> steps;
  for (int i = 0; i < 20; ++i)
    steps.insert(steps.end(), {static_cast<float>(i), static_cast<float>(i < 10 ? 0 : 100)});
  std::vector<uint8_t> episode(20, 4), ends(20, 0);
  std::fill(episode.begin() + 10, episode.end(), 2);
  ends[9] = 1;
  for (const auto& [name, marks] : {std::pair{"episode", npy_bytes("|u1", "(20,)", raw_bytes(episode))},
                                    {"ends", npy_bytes("|b1", "(20,)", raw_bytes(ends))}}) {
    put_npz({{"observations", npy_bytes("<f4", "(20, 2)", raw_bytes(steps))}, {name, marks}});
    ImportOptions lags = options({"data.npz"});
    lags.least_lag = 2;
    lags.most_lag = 4;
    const ImportReport report = import_pairs(lags);
    EXPECT_EQ(report.unit, "trajectories");
    EXPECT_EQ(report.units, 2);
    EXPECT_FALSE(report.info.grouped);
    EXPECT_GE(report.info.pairs, 12);
    EXPECT_LE(report.info.pairs, 16);
    std::set<double> seen;
    for (int64_t i = 0; i < report.info.pairs; ++i) {
      EXPECT_EQ(x(i)[1], y(i)[1]) << "a pair across trajectories";
      seen.insert(y(i)[0] - x(i)[0]);
    }
    EXPECT_EQ(seen, (std::set<double>{2, 3, 4}));
  }
}

TEST_F(ArrayImport, EveryStepWithAPartnerGivesOnePair) {
  std::vector<uint8_t> steps(30);
  for (size_t i = 0; i < 30; ++i) steps[i] = static_cast<uint8_t>(i);
  put_npz(
      {{"observations", bytes("(30, 1)", steps)}, {"episode", bytes("(30,)", std::vector<uint8_t>(30, 0))}});
  ImportOptions lags = options({"data.npz"});
  lags.least_lag = lags.most_lag = 3;
  EXPECT_EQ(import_pairs(lags).info.pairs, 27);
  std::set<double> starts;
  for (int64_t i = 0; i < 27; ++i) {
    starts.insert(x(i)[0]);
    EXPECT_EQ(y(i)[0], x(i)[0] + 3);
  }
  EXPECT_EQ(starts.size(), 27u);
}

TEST_F(ArrayImport, PartsOfAnEpisodeAreHeldOutTogetherAndNeverPaired) {
  std::vector<uint8_t> steps, episode;
  for (uint8_t part = 0; part < 6; ++part)
    for (uint8_t i = 0; i < 20; ++i) {
      episode.push_back(part % 3);
      steps.insert(steps.end(), {static_cast<uint8_t>(part % 3), part});
    }
  put_npz({{"observations", bytes("(120, 2)", steps)}, {"episode", bytes("(120,)", episode)}});
  ImportOptions third = options({"data.npz"});
  third.hold_out = 0.34;
  const ImportReport report = import_pairs(third);
  EXPECT_EQ(report.units, 3);
  EXPECT_EQ(report.held_units, 1);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_CONTAINS(report.notes[0], "some numbers of `episode` return");
  std::set<double> main, held;
  for (Part part : {Part::main, Part::held_out}) {
    for (int64_t i = 0; i < (part == Part::main ? report.info.pairs : report.info.held_out); ++i) {
      EXPECT_EQ(x(i, part)[1], y(i, part)[1]) << "a pair across the break";
      (part == Part::main ? main : held).insert(x(i, part)[0]);
    }
  }
  EXPECT_EQ(held.size(), 1u);
  EXPECT_FALSE(main.contains(*held.begin()));
}

TEST_F(ArrayImport, InterleavedEpisodesAreToBeSorted) {
  EXPECT_CONTAINS(complaint_about({{"observations", bytes("(4, 1)", {1, 2, 3, 4})}, {"episode", bytes("(4,)", {0, 1, 0, 1})}}),
                  "data.npz: rows of different episodes take turns; sort them by `episode`");
}

TEST_F(ArrayImport, SmallerLagsAreAdvisedOnlyWhereThereAreSmallerOnes) {
  put_npz({{"observations", bytes("(2, 1)", {1, 2})}, {"episode", bytes("(2,)", {1, 1})}});
  ImportOptions far = options({"data.npz"});
  far.least_lag = far.most_lag = 3;
  EXPECT_CONTAINS(complaint(far), "3 steps apart; give smaller --lags");
  EXPECT_CONTAINS(complaint_about({{"observations", bytes("(2, 1)", {1, 2})}, {"episode", bytes("(2,)", {1, 2})}}),
                  "1-3 steps apart; check `episode`");
}

TEST_F(ArrayImport, WhatIsMissingOrUnequalIsNamed) {
  const std::string two = bytes("(2, 1)", {1, 2}), three = bytes("(3, 1)", {1, 2, 3});
  EXPECT_CONTAINS(complaint_about({{"x", two}}),
                  "needs arrays x and y, or observations and episode; it has: x");
  EXPECT_CONTAINS(complaint_about({{"x", two}, {"y", three}}), "x has 2 rows and");
  EXPECT_CONTAINS(complaint_about({{"x", two}, {"y", two}, {"group", bytes("(3,)", {1, 2, 3})}}),
                  "group has 3 rows for 2 pairs");
  EXPECT_CONTAINS(complaint_about({{"observations", three}, {"episode", bytes("(2,)", {1, 2})}}),
                  "episode has 2 rows for 3 observations; give one per observation");
  EXPECT_CONTAINS(complaint_about({{"observations", two}}), "`episode` (numbers) nor `ends`");
  EXPECT_CONTAINS(complaint_about({{"observations", two}, {"episode", bytes("(2,)", {1, 2})}}),
                  "long enough");
  EXPECT_CONTAINS(complaint_about({{"x", bytes("(0, 1)", {})}, {"y", bytes("(0, 1)", {})}}), "no rows");
  EXPECT_CONTAINS(complaint_about({{"x", bytes("(2, 0)", {})}, {"y", bytes("(2, 0)", {})}}),
                  "row 1, x is empty");
  EXPECT_CONTAINS(complaint_about({{"x", npy_bytes("|O", "(2,)", "ab")}, {"y", two}}),
                  "data.npz, x holds Python objects");
}

TEST_F(ArrayImport, NumbersThatAreNotFiniteAreNamedWithTheirRow) {
  const std::string right = npy_bytes("<f4", "(2, 2)", raw_bytes<float>({1, 2, 3, 4}));
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    EXPECT_CONTAINS(
        complaint_about({{"x", right}, {"y", npy_bytes("<f4", "(2, 2)", raw_bytes<float>({1, 2, 3, bad}))}}),
        "data.npz, row 2, y has a number that is not finite");
  const std::string large = npy_bytes("<f8", "(2, 2)", raw_bytes<double>({1, 2, 3, 1e300}));
  EXPECT_CONTAINS(complaint_about({{"x", right}, {"y", large}}),
                  "row 2, y: 1e+300 at place 2 is beyond single precision (3.4e38); scale the numbers down");
}

TEST_F(ArrayImport, ATruncatedArchiveLeavesNothing) {
  put_npz({{"x", bytes("(2, 1)", {1, 2})}, {"y", bytes("(2, 1)", {2, 3})}});
  const std::string whole = read_file(folder_ / "data.npz");
  put("data.npz", whole.substr(0, whole.size() - 30));
  EXPECT_CONTAINS(complaint("data.npz"), "cut short");
  put("data.npz", "");
  EXPECT_CONTAINS(complaint("data.npz"), "empty");
}

}  // namespace
}  // namespace neo
