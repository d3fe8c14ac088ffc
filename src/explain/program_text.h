#pragma once

#include <map>
#include <string>
#include <vector>

namespace neo {

// What the codes of a theory do, in a few words each; empty, or none at all, where nothing is known.
using CodeNames = std::vector<std::string>;

std::string code_name(int64_t code);                                                  // "z5"
std::string code_title(int64_t code, const CodeNames& names);                         // "z5 (times 6)", or "z5"
std::string program_text(const std::vector<int64_t>& codes);                          // "z3 z1 z1"
std::string program_text(const std::vector<int64_t>& codes, const CodeNames& names);  // "z3 (up) → z1"

// The inverse, as users write it: z3, code3, 3, or the name of a code, with spaces, commas or arrows between them. A
// UsageError names what is not a code of a vocabulary of that size.
std::vector<int64_t> parse_codes(const std::string& text, int64_t vocabulary, const CodeNames& names = {});

// "2=z5" or "2=5,3=times 6": step -> code. override_steps checks that the step exists.
std::map<int64_t, int64_t> parse_overrides(const std::string& text, int64_t vocabulary, const CodeNames& names = {});

}  // namespace neo
