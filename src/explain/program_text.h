#pragma once

#include <map>
#include <string>
#include <vector>

namespace neo {

std::string code_name(int64_t code);                          // "z5"
std::string program_text(const std::vector<int64_t>& codes);  // "z3 z1 z1"

// The inverse, as users write it: z3, code3 or 3, with spaces or commas between them. A UsageError names
// what is not a code of a vocabulary of that size.
std::vector<int64_t> parse_codes(const std::string& text, int64_t vocabulary);

// "2=z5" or "2=5,3=code1": step -> code. override_steps checks that the step exists.
std::map<int64_t, int64_t> parse_overrides(const std::string& text, int64_t vocabulary);

}  // namespace neo
