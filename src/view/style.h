#pragma once

#include <string>
#include <string_view>

#include "view/canvas.h"

namespace neo {

// How all drawings look.
inline constexpr Colour kPaper{250, 250, 248};
inline constexpr Colour kInk{40, 44, 52};
inline constexpr Colour kLine{214, 214, 210};  // between cells, and around what is light
inline constexpr int kGap = 12;
inline constexpr int kTextScale = 2;
inline constexpr int kTextLine = 16;       // pixels from a line of text to what is below it
inline constexpr int kTerminalWidth = 80;  // no line of an observation is wider

// Black or white, whichever is easier to read on a background.
Colour ink_on(Colour background);

// Escape sequences that set the colours of a terminal, and that put its own back.
std::string foreground_code(Colour colour);
std::string background_code(Colour colour);
inline constexpr std::string_view kPlainCode = "\x1b[0m";

// Two pixels above each other as one character.
std::string half_block(Colour top, Colour bottom);

}  // namespace neo
