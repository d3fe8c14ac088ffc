#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace neo {

// The forms in which the kernels exist. Each is compiled for its own instructions (kernels/forms/), and one
// is chosen for the whole program, so that a machine gives the same bytes every time.
enum class Instructions { portable, avx2, avx512 };

std::string_view name_of(Instructions instructions);
// What this processor has, from the plainest to the widest.
const std::vector<Instructions>& available_instructions();
// Whether this processor also has AVX-512-BF16 (kernels/precision.h).
bool has_bf16();
// "avx2" -> avx2. UsageError for a name that is unknown, or that this processor does not have.
Instructions instructions_named(std::string_view name);

// What the kernels run on: the widest form there is, or the one that NEO_INSTRUCTIONS names. Decided at the
// first call; a bad name is a UsageError.
Instructions instructions();

// Another form while it lives, for tests and measurements. Not while another thread computes.
class ScopedInstructions {
 public:
  explicit ScopedInstructions(Instructions instructions);
  ~ScopedInstructions();
  ScopedInstructions(const ScopedInstructions&) = delete;
  ScopedInstructions& operator=(const ScopedInstructions&) = delete;

 private:
  Instructions before_;
};

}  // namespace neo
