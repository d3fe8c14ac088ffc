#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace neo {

// What a child process may use before it is ended.
struct IsolationLimits {
  int64_t seconds = 600;              // of processor time
  int64_t memory = int64_t{2} << 30;  // bytes on top of what this process has
};

// Runs `work` in a child process first, for libraries that a crafted file can crash: an Error in it is thrown
// here, and any other end of the child (a fault, a limit) is an Error that says `fault`. Nothing else of it
// reaches this process.
void run_isolated(const std::function<void()>& work, const std::string& fault,
                  const IsolationLimits& limits = {});

}  // namespace neo
