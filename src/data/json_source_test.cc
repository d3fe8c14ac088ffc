#include "data/json_source.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "data/testing.h"

namespace neo {
namespace {

class JsonImport : public testing::ImportTest {
 protected:
  // The message about one line of JSON.
  std::string complaint_about(const std::string& line) const {
    put("pairs.jsonl", "{\"x\":[[0,1]],\"y\":[[1,0]]}\n" + line + "\n");
    return complaint("pairs.jsonl");
  }
};

TEST_F(JsonImport, LinesAreGrids) {
  put("pairs.jsonl",
      "{\"x\":[[0,1],[2,0]],\"y\":[[1,0],[0,2]]}\n\n{\"y\":[[0,0],[0,5]], \"x\":[[3,3],[3,3]], "
      "\"other\":{\"a\":[1,{}]}}");
  const ImportReport report = import({"pairs.jsonl"});
  EXPECT_EQ(describe(report.info.space), "2x2 grid of 6 values");
  EXPECT_EQ(report.info.pairs, 2);
  EXPECT_EQ(x(0), (std::vector<double>{0, 1, 2, 0}));
  EXPECT_EQ(y(1), (std::vector<double>{0, 0, 0, 5}));
}

TEST_F(JsonImport, GroupsAndProgramsTakeSeveralForms) {
  put("pairs.jsonl",
      "{\"x\":[1],\"y\":[1],\"group\":7,\"program\":\"up "
      "left\"}\n{\"x\":[1],\"y\":[0],\"group\":\"7\",\"program\":[\"up\",\"left\"]}\n"
      "{\"x\":[0],\"y\":[0],\"group\":null,\"program\":null}");
  const ImportReport report = import({"pairs.jsonl"});
  EXPECT_EQ(report.groups, 1);
  EXPECT_EQ(report.info.programs, std::vector<std::string>{"up left"});
  EXPECT_EQ(pair(0).group, pair(1).group);
  EXPECT_EQ(pair(2).group, -1);
  EXPECT_EQ(pair(2).program, "");
}

TEST_F(JsonImport, AnotherKeyMayNameGroups) {
  put("pairs.jsonl", "{\"x\":[1],\"y\":[1],\"task\":1}\n{\"x\":[1],\"y\":[0],\"task\":2}");
  EXPECT_EQ(import({"pairs.jsonl"}).groups, 0);
  ImportOptions by_task = options({"pairs.jsonl"});
  by_task.group = "task";
  EXPECT_EQ(import_pairs(by_task).groups, 2);
  by_task.group = "absent";
  EXPECT_CONTAINS(complaint(by_task), "'absent'");
}

TEST_F(JsonImport, AnObjectWithoutListsIsOnePair) {
  put("pair.json", "{\"x\": 12,\n \"y\": 13}\n");
  EXPECT_EQ(describe(import({"pair.json"}).info.space), "number of 2 digits");
  put("pair.json", "{\"input\": \"ab\", \"output\": \"ba\", \"program\": \"swap\"}");
  const ImportReport report = import({"pair.json"});
  EXPECT_EQ(report.info.pairs, 1);
  EXPECT_EQ(pair(0).program, "swap");
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_CONTAINS(report.warnings[0], "only 1 pair: too few");
}

TEST_F(JsonImport, AnObjectOfListsSaysHowItWasUnderstood) {
  put("columns.json", "{\"x\": [[0,1],[1,0]], \"y\": [[1,0],[0,1]]}");
  const ImportReport report = import({"columns.json"});
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_CONTAINS(report.notes[0], "taken as 2 pairs; for a single pair write [{\"x\"");
}

TEST_F(JsonImport, AListAnObjectOfListsAndLinesSayTheSame) {
  put("list.json", "\xEF\xBB\xBF[{\"x\":[1,2],\"y\":[2,1]},\n {\"x\":[0,3],\"y\":[3,0]}]");
  put("columns.json", "{\"x\":[[1,2],[0,3]],\n \"y\":[[2,1],[3,0]]}");
  put("lines.json", "{\"x\":[1,2],\"y\":[2,1]}\n{\"x\":[0,3],\"y\":[3,0]}\n");
  put("lines.jsonl", "{\"x\":[1,2],\"y\":[2,1]}\n{\"x\":[0,3],\"y\":[3,0]}\n");
  const std::string digest = import({"list.json"}).info.digest;
  EXPECT_EQ(x(1), (std::vector<double>{0, 3}));
  for (const char* name : {"columns.json", "lines.json", "lines.jsonl"})
    EXPECT_EQ(import({name}).info.digest, digest) << name;
}

TEST_F(JsonImport, TasksAreGroupsAndSmallerGridsArePadded) {
  std::filesystem::create_directory(folder_ / "tasks");
  for (const char* name : {"tasks/a.json", "tasks/b.json"})
    put(name,
        "{\"train\":[{\"input\":[[1]],\"output\":[[1,2],[3,4]]}],\"test\":[{\"input\":[[5]],\"output\":[[6]]}"
        "]}");
  const ImportReport report = import({"tasks"});
  EXPECT_EQ(report.groups, 2);
  EXPECT_EQ(report.info.pairs, 4);
  EXPECT_TRUE(report.info.space.padded);
  EXPECT_EQ(report.info.space.values, std::vector<int64_t>{8});
  EXPECT_EQ(x(0), (std::vector<double>{1, 7, 7, 7}));
  EXPECT_EQ(y(0), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(pair(0).group, pair(1).group);
  EXPECT_NE(pair(0).group, pair(2).group);
}

TEST_F(JsonImport, ManyTasksMayBeInOneFileAndQuestionsWithoutAnswersAreLeftOut) {
  put("tasks.json",
      "{\"a\":{\"train\":[{\"input\":[[1]],\"output\":[[2]]}],\"test\":[{\"input\":[[5]]}]},"
      "\"b\":{\"train\":[{\"input\":[[1]],\"output\":[[2]]}],\"name\":[1,2]}}");
  const ImportReport report = import({"tasks.json"});
  EXPECT_EQ(report.info.pairs, 2);
  EXPECT_EQ(report.groups, 2);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_CONTAINS(report.notes[0], "left out: 1");
}

TEST_F(JsonImport, NumbersKeepAllTheirDigits) {
  put("numbers.jsonl", "{\"x\":12345678901234567890123456789,\"y\":\"007\"}\n{\"x\":1,\"y\":2}");
  EXPECT_EQ(describe(import({"numbers.jsonl"}).info.space), "number of 29 digits");
  EXPECT_EQ(x(0)[28], 9);
  EXPECT_EQ(x(0)[0], 1);
  EXPECT_EQ(y(0)[28], 7);
}

TEST_F(JsonImport, TextsAndListsOfTextsAreSequences) {
  put("words.jsonl", "{\"x\":[\"red\",\"blue\"],\"y\":[\"blue\"]}");
  const Space space = import({"words.jsonl"}).info.space;
  EXPECT_EQ(space.symbols, (std::vector<std::string>{"blue", "red", ""}));
  EXPECT_EQ(x(0), (std::vector<double>{1, 0}));
  EXPECT_EQ(y(0), (std::vector<double>{0, 2}));
  put("words.jsonl", "{\"x\":\"häh\",\"y\":\"ah\"}");
  EXPECT_EQ(import({"words.jsonl"}).info.space.symbols, (std::vector<std::string>{"a", "h", "ä", ""}));
  EXPECT_EQ(x(0), (std::vector<double>{1, 2, 1}));
}

TEST_F(JsonImport, WhatIsMissingIsNamedWithItsLine) {
  EXPECT_CONTAINS(complaint_about("{\"x\":[[0,1]]}"), "pairs.jsonl, line 2: y is missing");
  EXPECT_CONTAINS(complaint_about("{\"y\":[[0,1]]}"), "line 2: x is missing");
  EXPECT_CONTAINS(complaint_about("{\"x\":null,\"y\":[[0,1]]}"), "line 2: x is null");
  EXPECT_CONTAINS(complaint_about("{\"x\":[],\"y\":[[0,1]]}"), "line 2: x is empty");
  EXPECT_CONTAINS(complaint_about("{\"x\":\"\",\"y\":[[0,1]]}"), "line 2: x is empty");
}

TEST_F(JsonImport, MixedShapesAreNamedWithTheirLines) {
  EXPECT_CONTAINS(complaint_about("{\"x\":[0,1],\"y\":[[0,1]]}"), "pairs.jsonl, line 1, x is 1x2");
  EXPECT_CONTAINS(complaint_about("{\"x\":[[0,1],[2]],\"y\":[[0,1]]}"),
                  "line 2: x has lists of different lengths");
  EXPECT_CONTAINS(complaint_about("{\"x\":[[0,1],2],\"y\":[[0,1]]}"), "line 2: x has lists of different");
  EXPECT_CONTAINS(complaint_about("{\"x\":[2,[0,1]],\"y\":[[0,1]]}"), "line 2: x has lists of different");
  EXPECT_CONTAINS(complaint_about("{\"x\":\"ab\",\"y\":[[0,1]]}"), "line 2, x is not");
  EXPECT_CONTAINS(complaint_about("{\"x\":{\"a\":1},\"y\":[[0,1]]}"), "line 2: x is an object");
  EXPECT_CONTAINS(complaint_about("{\"x\":[[0,\"1\"]],\"y\":[[0,1]]}"), "line 2: x mixes");
}

TEST_F(JsonImport, WhatIsNoJsonIsNamedWithItsLine) {
  EXPECT_CONTAINS(complaint_about("{\"x\":[[NaN,1]],\"y\":[[0,1]]}"), "line 2: this is not valid JSON");
  EXPECT_CONTAINS(complaint_about("{\"x\":[[0,1]],\"y\":[[0,1]"), "not valid JSON");
  EXPECT_CONTAINS(complaint_about("{\"x\":[[1e999,1]],\"y\":[[0,1]]}"), "line 2: a number is too large");
  EXPECT_CONTAINS(complaint_about("[1]"), "line 2");
  EXPECT_CONTAINS(complaint_about("5"), "a single value");
  put("pairs.json", "");
  EXPECT_CONTAINS(complaint("pairs.json"), "holds no pairs");
  put("pairs.json", "[]");
  EXPECT_CONTAINS(complaint("pairs.json"), "holds no pairs");
  put("pairs.json", "[{\"x\":1,\"y\":2}] [");
  EXPECT_CONTAINS(complaint("pairs.json"), "more follows");
}

TEST_F(JsonImport, UnequalCountsAreNamed) {
  put("pairs.json", "{\"x\":[[1],[2]],\"y\":[[1]]}");
  EXPECT_CONTAINS(complaint("pairs.json"), "x has 2 entries and y has 1");
  put("pairs.json", "{\"x\":[[1],[2]],\"y\":[[1],[2]],\"program\":[\"a\"]}");
  EXPECT_CONTAINS(complaint("pairs.json"), "program has 1");
}

// Writes `count` times `part` between `before` and `after`, without holding it.
void write_long(const std::filesystem::path& path, const std::string& before, const std::string& part,
                size_t count, const std::string& after) {
  std::ofstream file(path, std::ios::binary);
  file << before;
  std::string block;
  while (block.size() < 1 << 16) block += part;
  for (size_t left = count * part.size(); left > 0;) {
    const size_t size = std::min(left, block.size());
    file.write(block.data(), static_cast<std::streamsize>(size));
    left -= size;
  }
  file << after;
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(JsonImport, DepthAndWidthExhaustNoMemory) {
  constexpr size_t kHuge = size_t{100} << 20;
  const long before = peak_kib();
  const std::vector<std::tuple<const char*, std::string, std::string, const char*>> cases{
      {"deep.json", "", "[", "list stands where"},
      {"deep.jsonl", "{\"x\":", "[", "too deeply"},
      {"skipped.jsonl", "{\"z\":", "[", "too deeply"},
      {"wide.jsonl", "{\"x\":[", "1,", "over 65536 numbers"},
      {"text.jsonl", "{\"x\":\"", "a", "characters"},
      {"digits.jsonl", "{\"x\":", "1", "characters"},
      {"key.jsonl", "{\"", "k", "characters"},
      {"columns.json", "{\"x\":[", "1,", "too large as an object of lists"}};
  for (const auto& [name, start, part, expected] : cases) {
    write_long(folder_ / name, start, part, kHuge / part.size(), "");
    EXPECT_CONTAINS(complaint(name), expected) << name;
  }
  EXPECT_LT(peak_kib() - before, 600 << 10);
}

}  // namespace
}  // namespace neo
