#include "core/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>

#include "core/testing.h"

namespace neo {
namespace {

namespace fs = std::filesystem;
using testing::error_of;

size_t files_in(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(NameOfPath, IsAFolderNameOrAFileNameWithoutItsEnding) {
  const testing::TemporaryFolder folder;
  fs::create_directory(folder / "frames.v2");
  EXPECT_EQ(name_of_path(folder / "frames.v2"), "frames.v2");
  EXPECT_EQ(name_of_path(folder / "frames.v2/"), "frames.v2");
  EXPECT_EQ(name_of_path(folder / "frames.v2/../pairs.jsonl"), "pairs");
  EXPECT_EQ(name_of_path("/"), "unnamed");
}

TEST(PendingFile, AppearsUnderItsNameOnlyWhenCommitted) {
  const testing::TemporaryFolder folder;
  PendingFile pending(folder / "new/folders/a");
  std::ofstream(pending.path()) << "content";
  EXPECT_FALSE(fs::exists(folder / "new/folders/a"));
  pending.commit();
  EXPECT_EQ(read_file(folder / "new/folders/a"), "content");
  EXPECT_FALSE(fs::exists(pending.path()));
}

TEST(PendingFile, LeavesNothingBehindOnAnException) {
  const testing::TemporaryFolder folder;
  const auto interrupted_write = [&] {
    PendingFile pending(folder / "a");
    std::ofstream(pending.path()) << "half";
    fail("interrupted");
  };
  EXPECT_EQ(error_of(interrupted_write), "interrupted");
  EXPECT_EQ(files_in(folder.path()), 0u);
}

TEST(PendingFile, ReplacesTheOldFileAtOnce) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  PendingFile pending(folder / "a");
  std::ofstream(pending.path()) << "new";
  EXPECT_EQ(read_file(folder / "a"), "old");
  pending.commit();
  EXPECT_EQ(read_file(folder / "a"), "new");
}

TEST(PendingFile, NamesTheFolderItCannotCreate) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "file", "");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder / "file/below/a"); }), "cannot create folder");
}

TEST(PendingFile, RefusesWhatIsNoRegularFile) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder / "link");
  fs::create_symlink("circle", folder / "circle");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder / "pipe"); }), "pipe: it is a device or a pipe; name a regular");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder / "link"); }), "link: it is a device or a pipe");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder / "circle"); }), "lead in a circle");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder.path()); }), "it is a folder; name a file in it");
  EXPECT_CONTAINS(error_of([&] { PendingFile(folder / "new/"); }), "it is a folder");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_EQ(files_in(folder.path()), 3u);
}

TEST(PendingFile, WritesWhereLinksLead) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "below/a", "old");
  fs::create_symlink("below/a", folder / "link");
  fs::create_symlink("below/b", folder / "dangling");
  write_file_atomically(folder / "link", "new");
  write_file_atomically(folder / "dangling", "first");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "below/a"), "new");
  EXPECT_EQ(read_file(folder / "below/b"), "first");
}

TEST(WriteFile, FullDiskKeepsTheOldFileAndNothingElse) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  {
    const testing::FullDisk full(1024);
    EXPECT_CONTAINS(error_of([&] { write_file_atomically(folder / "a", std::string(100'000, 'x')); }),
                    "free some space");
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(ReadFile, KeepsEveryByte) {
  const testing::TemporaryFolder folder;
  const std::string content("a\0\r\n\xff", 5);
  write_file_atomically(folder / "a", content);
  EXPECT_EQ(read_file(folder / "a"), content);
  write_file_atomically(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "empty"), "");
}

TEST(ReadFile, ErrorsNameTheFileAndTheReason) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(error_of([] { read_file("/nonexistent/a"); }),
            "cannot read /nonexistent/a: No such file or directory");
  EXPECT_CONTAINS(error_of([&] { read_file(folder.path()); }), "is a folder, a file is needed");
  write_file_atomically(folder / "a", "12345");
  EXPECT_CONTAINS(error_of([&] { read_file(folder / "a", /*limit=*/4); }),
                  "has 5 bytes, more than the 4 allowed");
}

TEST(Interrupt, SignalTurnsIntoAnErrorWithExitCode130) {
  EXPECT_EXIT(
      {
        install_interrupt_handler();
        throw_if_interrupted();  // not yet
        raise(SIGINT);
        try {
          throw_if_interrupted();
        } catch (const Error& error) {
          std::exit(error.exit_code());
        }
      },
      ::testing::ExitedWithCode(130), "");
}

}  // namespace
}  // namespace neo
