#pragma once

#include <map>
#include <string>
#include <vector>

namespace neo {

std::string code_name(int64_t code);                          // "z5"
std::string program_text(const std::vector<int64_t>& codes);  // "z3 z1 z1"

// The inverse, as users write it: z3, code3 or 3, with spaces or commas between them. A UsageError says what
// is no code of a vocabulary of so many.
std::vector<int64_t> parse_codes(const std::string& text, int64_t vocabulary);

// "2=z5" or "2=5,3=code1": step -> code. Whether the step exists is for override_steps to say.
std::map<int64_t, int64_t> parse_overrides(const std::string& text, int64_t vocabulary);

}  // namespace neo
