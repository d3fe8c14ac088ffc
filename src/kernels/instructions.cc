#include "kernels/instructions.h"

#include <atomic>
#include <cstdlib>

#include "core/error.h"

namespace neo {
namespace {

constexpr std::string_view kNames[] = {"portable", "avx2", "avx512"};

std::vector<Instructions> detect() {
  std::vector<Instructions> found{Instructions::portable};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    found.push_back(Instructions::avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      found.push_back(Instructions::avx512);
  }
#endif
  return found;
}

Instructions at_start() {
  const char* asked = std::getenv("NEO_INSTRUCTIONS");
  return asked != nullptr && *asked != '\0' ? instructions_named(asked) : available_instructions().back();
}

std::atomic<Instructions>& current() {
  static std::atomic<Instructions> value = at_start();
  return value;
}

}  // namespace

std::string_view name_of(Instructions instructions) { return kNames[static_cast<size_t>(instructions)]; }

const std::vector<Instructions>& available_instructions() {
  static const std::vector<Instructions> found = detect();
  return found;
}

bool has_bf16() {
#if defined(__x86_64__)
  return available_instructions().back() == Instructions::avx512 && __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

Instructions instructions_named(std::string_view name) {
  std::string names;
  for (const Instructions form : available_instructions()) {
    if (name == name_of(form)) return form;
    names += (names.empty() ? "" : ", ") + std::string(name_of(form));
  }
  fail_usage("NEO_INSTRUCTIONS={}: this processor has {}", name, names);
}

Instructions instructions() { return current().load(std::memory_order_relaxed); }

ScopedInstructions::ScopedInstructions(Instructions instructions) : before_(current().exchange(instructions)) {}
ScopedInstructions::~ScopedInstructions() { current().store(before_); }

}  // namespace neo
