#pragma once

#include <unistd.h>

namespace neo {

bool is_terminal(int fd);
// Whether to colour what goes to `fd`: a terminal that is not `dumb`, and NO_COLOR (no-color.org) is unset.
bool wants_colour(int fd = STDOUT_FILENO);
// The rule behind it; null stands for an unset variable.
bool wants_colour(bool terminal, const char* no_color, const char* term);
// Columns of the terminal on `fd`; $COLUMNS or 80 where it cannot be asked.
int terminal_width(int fd = STDERR_FILENO);

}  // namespace neo
