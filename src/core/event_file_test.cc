#include "core/event_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {

std::string only_file_of(const std::filesystem::path& folder) {
  return read_file(std::filesystem::directory_iterator(folder)->path());
}

TEST(EventFile, TheChecksumIsThatOfCastagnoli) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(EventFile, RecordsFollowEachOtherByTheirLengths) {
  const testing::TemporaryFolder folder;
  {
    EventFile events(folder.path());
    events.add_scalar("loss", 3, 0.5);
    events.add_counts("usage", 3, {1, 0, 2});
  }
  const std::string content = only_file_of(folder.path());
  size_t at = 0;
  int records = 0;
  for (; at < content.size(); ++records) {
    uint64_t length = 0;
    std::memcpy(&length, content.data() + at, sizeof length);
    at += 8 + 4 + length + 4;
  }
  EXPECT_EQ(at, content.size());
  EXPECT_EQ(records, 3);  // the version, and two values
  EXPECT_NE(content.find("brain.Event:2"), std::string::npos);
}

TEST(EventFile, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_NE(testing::error_of([] { EventFile events("/proc/nowhere"); }), "");
}

}  // namespace
}  // namespace neo
