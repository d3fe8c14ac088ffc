#pragma once

#include <string>
#include <vector>

#include "worlds/canvas.h"
#include "worlds/world.h"

namespace neo {

// One picture with what is written above and below it.
struct Panel {
  std::string caption;
  Observation observation;
  std::string note = {};
  bool marked = false;  // the caption stands out
  bool arrow = false;   // made from the panel before it
  bool apart = false;   // stands a little apart from the panel before it
};

struct PanelRow {
  std::string title;
  std::vector<Panel> panels;
};

// Rows below each other, their panels in equal steps.
Canvas draw_panels(const World& world, const std::vector<PanelRow>& rows);
SvgCanvas draw_panels_svg(const World& world, const std::vector<PanelRow>& rows);

// The panels as terminal lines, without the title; as many side by side as `width` columns hold, 0: all.
std::string terminal_panels(const World& world, const std::vector<Panel>& panels, bool colour, int width);

}  // namespace neo
