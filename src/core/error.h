#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace neo {

// The one exception for bad input, bad files and a failing environment. The message is one line that says
// what is wrong, where, and what to do about it; main() prints it and exits with `exit_code`.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, int exit_code = 1)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

// A mistake in how the program was called: an unknown name, a value out of range. Exit code 2.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(message, 2) {}
};

template <typename... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

namespace internal {
template <typename A, typename B>
[[noreturn]] void check_failed(const char* file, int line, const char* text, const A& a, const B& b) {
  throw std::logic_error(fmt::format("{}:{}: check failed: {} ({} against {})", file, line, text, a, b));
}
}  // namespace internal
}  // namespace neo

// Always-on checks for our own mistakes; never triggered by user input.
#define NEO_CHECK_OP(a, op, b)                                                            \
  do {                                                                                    \
    const auto neo_a = (a);                                                               \
    const auto neo_b = (b);                                                               \
    if (!(neo_a op neo_b))                                                                \
      ::neo::internal::check_failed(__FILE__, __LINE__, #a " " #op " " #b, neo_a, neo_b); \
  } while (false)
#define NEO_CHECK_EQ(a, b) NEO_CHECK_OP(a, ==, b)
#define NEO_CHECK_LT(a, b) NEO_CHECK_OP(a, <, b)
#define NEO_CHECK_LE(a, b) NEO_CHECK_OP(a, <=, b)
