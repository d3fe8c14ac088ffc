#include "core/threads.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>

namespace neo {
namespace {

int threads_with(const char* setting) {
  const char* before = std::getenv("OMP_NUM_THREADS");
  const std::string kept = before ? before : "";
  setenv("OMP_NUM_THREADS", setting, 1);
  const int threads = default_threads();
  before ? setenv("OMP_NUM_THREADS", kept.c_str(), 1) : unsetenv("OMP_NUM_THREADS");
  return threads;
}

TEST(Threads, OpenMpVariableDecidesWhereItIsANumber) {
  EXPECT_EQ(threads_with("3"), 3);
  EXPECT_EQ(threads_with("5,2"), 5);
  const int all = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_EQ(threads_with("many"), all);
  EXPECT_EQ(threads_with("0"), all);
  EXPECT_EQ(threads_with(""), all);
}

}  // namespace
}  // namespace neo
