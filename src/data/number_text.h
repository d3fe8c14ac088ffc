#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace neo {

// The number that a text represents: "12", "-0.5", "1e-3", "+2"; nothing if it is none or not finite.
std::optional<double> number_of(std::string_view text);
// Numbers with blanks, commas or semicolons between them, in brackets or without; empty where it is no such
// list.
std::vector<double> numbers_of(std::string_view text);
bool is_digits(std::string_view text);      // 0 to 9 and nothing else; at least one
bool is_not_finite(std::string_view text);  // "nan", "-inf", ...
int digit_value(char c);                    // 0 to 35; 36 where it is no digit in any base

}  // namespace neo
