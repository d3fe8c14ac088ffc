#include "core/terminal.h"

#include <gtest/gtest.h>

namespace neo {
namespace {

TEST(Terminal, ColoursOnlyACapableTerminalWithoutNoColor) {
  EXPECT_TRUE(wants_colour(true, nullptr, "xterm-256color"));
  EXPECT_TRUE(wants_colour(true, "", "xterm"));  // no-color.org: only a non-empty value counts
  EXPECT_FALSE(wants_colour(true, "1", "xterm"));
  EXPECT_FALSE(wants_colour(true, nullptr, "dumb"));
  EXPECT_FALSE(wants_colour(true, nullptr, nullptr));
  EXPECT_FALSE(wants_colour(false, nullptr, "xterm"));
}

TEST(Terminal, WidthHasADefaultWithoutATerminal) { EXPECT_GT(terminal_width(-1), 0); }

}  // namespace
}  // namespace neo
