#pragma once

#include <string>
#include <vector>

#include "worlds/canvas.h"
#include "worlds/episode_file.h"

namespace neo {

// How all drawings look.
inline constexpr Colour kPaper{250, 250, 248};
inline constexpr Colour kInk{40, 44, 52};
inline constexpr int kGap = 12;
inline constexpr int kTextScale = 2;
inline constexpr int kTextLine = 16;  // pixels from a line of text to what is below it

// The colour of a grid cell on screen, 0 (background) to 8.
Colour cell_colour(int value);

// How many pixels an observation takes at its natural drawing size.
struct Extent {
  int width, height;
};
Extent drawn_extent(const World& world);
void draw_observation(Surface& canvas, int x, int y, const World& world, ObservationView observation);

// One row per episode: support x -> y | query x -> y, with the true program above.
Canvas contact_sheet(const World& world, const std::vector<Episode>& episodes);

// An observation as terminal lines of equal width: a grid's cells in colour or as digits, an image as half
// blocks or as a ramp, a number flush right.
std::vector<std::string> terminal_lines(const World& world, ObservationView observation, bool colour);
int terminal_columns(const World& world);  // how wide they are

// Several observations side by side as terminal lines, with an arrow between them. Without colour, grids are
// digits, images a 16-step ramp.
std::string terminal_row(const World& world, const std::vector<Observation>& observations, bool colour);

}  // namespace neo
