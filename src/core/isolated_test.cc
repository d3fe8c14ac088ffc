#include "core/isolated.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/testing.h"

namespace neo {
namespace {

using testing::error_of;

std::string end_of(const std::function<void()>& work, const IsolationLimits& limits = {}) {
  return error_of([&] { run_isolated(work, "it broke", limits); });
}

TEST(Isolated, WorkThatEndsWellChangesNothingHere) {
  int value = 1;
  EXPECT_EQ(end_of([&] { value = 2; }), "");
  EXPECT_EQ(value, 1);
}

TEST(Isolated, AnErrorComesBackWithItsExitCode) {
  EXPECT_EQ(end_of([] { fail("line {} is bad", 7); }), "line 7 is bad");
  try {
    run_isolated([] { throw Error("a", 5); }, "it broke");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 5);
  }
}

TEST(Isolated, AFaultIsOneErrorAndThisProcessLivesOn) {
  for (const int number : {SIGSEGV, SIGABRT, SIGKILL, SIGFPE})
    EXPECT_EQ(end_of([number] { raise(number); }), "it broke") << number;
  EXPECT_EQ(end_of([] { throw std::runtime_error("no Error of ours"); }), "it broke");
}

TEST(Isolated, WorkWithoutEndIsEnded) {
  EXPECT_EQ(end_of(
                [] {
                  for (std::atomic<int64_t> turns = 0;;) ++turns;
                },
                {.seconds = 1}),
            "it broke");
}

TEST(Isolated, MoreMemoryThanAllowedIsNotHad) {
  EXPECT_EQ(end_of(
                [] {
                  const auto much = std::make_unique<std::vector<char>>(size_t{1} << 30, 'x');
                  if (much->at(12345) == 'x') return;
                },
                {.memory = int64_t{1} << 28}),
            "it broke");
}

}  // namespace
}  // namespace neo
