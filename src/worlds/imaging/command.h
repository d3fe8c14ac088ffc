#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace neo {

// Runs a program found on PATH with exactly these arguments (no shell ever sees them), its output discarded.
// Returns its exit code; 127 when there is no such program, 128 + signal when it was killed.
int run_command(const std::vector<std::string>& arguments);

// Like run_command, with `input` and `output` as the program's standard streams.
int run_command(const std::vector<std::string>& arguments, const std::filesystem::path& input,
                const std::filesystem::path& output);

}  // namespace neo
