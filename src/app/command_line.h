#pragma once

#include <string>

#include "app/engine_commands.h"

namespace neo {

// Reads a command line and does what it says; `act` does what needs tensors. Returns the status to exit with: 0 done,
// 1 failed, 2 a mistake in the command line.
int run_command_line(int argc, char** argv, const Act& act);

// One line on stderr, whatever names of files and other texts from outside it quotes.
void complain(const std::string& text);

}  // namespace neo
