#include "core/terminal.h"

#include <sys/ioctl.h>

#include <cstdlib>
#include <string_view>

namespace neo {

bool is_terminal(int fd) { return isatty(fd) == 1; }

bool wants_colour(int fd) {
  return wants_colour(is_terminal(fd), std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool wants_colour(bool terminal, const char* no_color, const char* term) {
  if (!terminal || (no_color && *no_color)) return false;
  return term && *term && std::string_view(term) != "dumb";
}

int terminal_width(int fd) {
  constexpr int kDefault = 80;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int width = columns ? std::atoi(columns) : 0;
  return width > 0 && width < 10000 ? width : kDefault;
}

}  // namespace neo
