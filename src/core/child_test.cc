#include "core/child.h"

#include <unistd.h>

#include <chrono>

#include "core/files.h"
#include "core/testing.h"

namespace neo {
namespace {
using testing::TemporaryFolder;

TEST(Child, GivesItsExitCodeAndLog) {
  TemporaryFolder folder;
  Child child({.arguments = {"/bin/sh", "-c", "echo $WORD; exit 3"},
               .environment = {{"WORD", "hello"}},
               .log = folder / "log"});
  EXPECT_EQ(child.wait(10), 3);
  EXPECT_EQ(last_line(folder / "log"), "hello");
}

TEST(Child, DestructorStopsIt) {
  TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  { Child child({.arguments = {"/bin/sleep", "60"}, .log = folder / "log"}); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Child, OneThatIgnoresItsSignalIsKilled) {
  TemporaryFolder folder;
  Child child({.arguments = {"/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done"},
               .log = folder / "log"});
  while (last_line(folder / "log") != "ready") usleep(10000);
  child.stop();
  EXPECT_EQ(child.wait(0.1), 128 + SIGKILL);
}

TEST(RunCommand, ReadsItsInputAndReplacesItsOutput) {
  TemporaryFolder folder;
  write_file_atomically(folder / "in", "text");
  write_file_atomically(folder / "out", "something longer");
  EXPECT_EQ(run_command({.arguments = {"sh", "-c", "cat; echo error >&2"},
                         .input = folder / "in",
                         .output = folder / "out"}),
            0);
  EXPECT_EQ(read_file(folder / "out"), "text");
}

TEST(RunCommand, NamesAFileThatIsNotThere) {
  TemporaryFolder folder;
  EXPECT_CONTAINS(testing::error_of([&] { run_command({.arguments = {"cat"}, .input = folder / "none"}); }),
                  "none: No such file");
}

TEST(RunCommand, AMissingProgramIsExitCode127) {
  EXPECT_EQ(run_command({.arguments = {"no-such-program-anywhere"}}), 127);
}

TEST(StartDetached, RunsWithoutBeingWaitedFor) {
  TemporaryFolder folder;
  start_detached({"touch", (folder / "touched").string()});
  for (int i = 0; i < 500 && !std::filesystem::exists(folder / "touched"); ++i) usleep(10000);
  EXPECT_TRUE(std::filesystem::exists(folder / "touched"));
  start_detached({"no-such-program-anywhere"});
}

}  // namespace
}  // namespace neo
