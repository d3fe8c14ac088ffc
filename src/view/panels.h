#pragma once

#include <string>
#include <vector>

#include "data/pair_file.h"
#include "view/canvas.h"
#include "view/view.h"

namespace neo {

// One picture with the text above and below it.
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

// Rows below each other, their panels in equal steps. Text that is much wider than its panel is cut.
Canvas draw_panels(const View& view, const std::vector<PanelRow>& rows);
SvgCanvas draw_panels_svg(const View& view, const std::vector<PanelRow>& rows);

// The panels as terminal lines, without the title; as many side by side as `width` columns hold, 0: all.
std::string terminal_panels(const View& view, const std::vector<Panel>& panels, bool colour, int width);

// Observations as terminal lines, with an arrow from each to the next: beside each other where 80 columns
// hold them.
std::string terminal_row(const View& view, const std::vector<Observation>& observations, bool colour);

// Pairs as blocks "x > y" in rows. Those of a group stand beside each other, with their hidden program above
// where it is known.
Canvas contact_sheet(const View& view, const std::vector<Pair>& pairs);

}  // namespace neo
