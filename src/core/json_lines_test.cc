#include "core/json_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

using nlohmann::json;
using testing::error_of;

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

TEST(JsonLines, WritesOneRecordPerLineAtOnce) {
  const testing::TemporaryFolder folder;
  auto writer = JsonLinesWriter::create(folder / "runs/a/metrics.jsonl");
  writer.write({{"step", 1}, {"loss", 0.5}});
  EXPECT_EQ(read_file(folder / "runs/a/metrics.jsonl"), "{\"loss\":0.5,\"step\":1}\n");
  writer.write({{"note", "two\nlines"}});
  writer.sync();
  EXPECT_EQ(read_json_lines(folder / "runs/a/metrics.jsonl").size(), 2u);
  EXPECT_EQ(writer.bytes(), static_cast<int64_t>(read_file(folder / "runs/a/metrics.jsonl").size()));
}

TEST(JsonLines, ResumedFileEqualsAnUndisturbedOne) {
  const testing::TemporaryFolder folder;
  auto whole = JsonLinesWriter::create(folder / "whole");
  for (int step = 0; step < 6; ++step) whole.write({{"step", step}});
  int64_t position = 0;
  {
    auto broken = JsonLinesWriter::create(folder / "broken");
    for (int step = 0; step < 5; ++step) {
      broken.write({{"step", step}});
      if (step == 2) position = broken.bytes();
    }
  }
  append(folder / "broken", "{\"ste");
  auto resumed = JsonLinesWriter::resume_at_byte(folder / "broken", position);
  for (int step = 3; step < 6; ++step) resumed.write({{"step", step}});
  EXPECT_EQ(read_file(folder / "broken"), read_file(folder / "whole"));
}

TEST(JsonLines, AFileThatDoesNotReachThePositionIsMovedAside) {
  const testing::TemporaryFolder folder;
  append(folder / "m", "{}\n{}\n{\"torn");
  const std::string content = read_file(folder / "m");
  for (const int64_t position : {4, 99}) {
    write_file_atomically(folder / "m", content);
    EXPECT_EQ(JsonLinesWriter::resume_at_byte(folder / "m", position).bytes(), 0);
    EXPECT_EQ(read_file(folder / "m.damaged"), content);
  }
  EXPECT_EQ(JsonLinesWriter::resume_at_byte(folder / "none", 17).bytes(), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "none"));
}

TEST(JsonLines, ReaderSkipsOnlyATornLastLine) {
  const testing::TemporaryFolder folder;
  append(folder / "m", "{\"a\":1}\n{\"a\":2}\n{\"a\"");
  EXPECT_EQ(read_json_lines(folder / "m"), (std::vector<json>{{{"a", 1}}, {{"a", 2}}}));
  append(folder / "m", "\n{}\n");
  EXPECT_CONTAINS(error_of([&] { read_json_lines(folder / "m"); }), "m:3: not a JSON record");
}

TEST(JsonLines, MissingFileIsAnError) {
  EXPECT_CONTAINS(error_of([] { read_json_lines("/nonexistent/m"); }), "cannot read /nonexistent/m");
}

TEST(JsonLines, FullDiskIsAnErrorAndTheTornRecordIsDropped) {
  const testing::TemporaryFolder folder;
  auto writer = JsonLinesWriter::create(folder / "m");
  writer.write({{"a", 1}});
  {
    const testing::FullDisk full(12);
    EXPECT_CONTAINS(error_of([&] { writer.write({{"b", 2}}); }), "free some space");
  }
  EXPECT_EQ(read_json_lines(folder / "m"), (std::vector<json>{{{"a", 1}}}));
}

}  // namespace
}  // namespace neo
