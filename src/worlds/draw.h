#pragma once

#include <optional>
#include <string>
#include <vector>

#include "worlds/canvas.h"
#include "worlds/episode_file.h"

namespace neo {

// The colour of a grid cell on screen, 0 (background) to 8.
Colour cell_colour(int value);

// How many pixels an observation takes at its natural drawing size.
struct Extent {
  int width, height;
};
Extent drawn_extent(const World& world);
void draw_observation(Canvas& canvas, int x, int y, const World& world, ObservationView observation);

// One row per episode: support x -> y | query x -> y, with the true program above.
Canvas contact_sheet(const World& world, const std::vector<Episode>& episodes);

// A program at work: what it starts from, what each step makes of that, and what was to come out.
struct Strip {
  std::string title;                  // above it
  std::vector<Observation> states;    // x first, y^ last
  std::vector<std::string> codes;     // names of the steps, one fewer than states
  std::optional<Observation> target;  // y, where it is known
};
// One row per strip, each picture under the name of the code that made it.
Canvas draw_strips(const World& world, const std::vector<Strip>& strips);

// Several observations side by side as terminal lines, with an arrow between them. Without colour, grids are
// digits, images a 16-step ramp.
std::string terminal_row(const World& world, const std::vector<Observation>& observations, bool colour);

}  // namespace neo
