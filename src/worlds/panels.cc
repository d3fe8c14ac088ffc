#include "worlds/panels.h"

#include <algorithm>

#include "core/text.h"
#include "worlds/draw.h"

namespace neo {
namespace {

constexpr Colour kMark{196, 30, 58};
constexpr int kNoteGap = 4;  // pixels between a picture and its note

int width_of(const std::string& text) { return Surface::text_width(text, kTextScale); }

// Numbers are flush right, and so is what is written beside them.
bool is_flush_right(const World& world) { return world.shape().size() == 1; }

struct Layout {
  int step = 0;  // from the left edge of a panel to that of the next
  int row_height = 0;
  int width = 0;
};

Layout layout_of(const World& world, const std::vector<PanelRow>& rows) {
  const Extent extent = drawn_extent(world);
  Layout layout{extent.width, 2 * kTextLine + extent.height + kGap, 0};
  bool notes = false;
  for (const PanelRow& row : rows) {
    for (const Panel& panel : row.panels) {
      layout.step = std::max({layout.step, width_of(panel.caption), width_of(panel.note)});
      notes |= !panel.note.empty();
    }
  }
  layout.step += kGap;
  if (notes) layout.row_height += kTextLine;
  for (const PanelRow& row : rows) {
    int width = -kGap;
    for (const Panel& panel : row.panels) width += layout.step + (panel.apart ? kGap : 0);
    layout.width = std::max({layout.width, width, width_of(row.title)});
  }
  return layout;
}

void draw_row(Surface& surface, int y, const World& world, const PanelRow& row, const Layout& layout) {
  surface.text(kGap, y, row.title, kTextScale, kInk);
  const Extent extent = drawn_extent(world);
  const auto indent = [&](int width) { return is_flush_right(world) ? layout.step - kGap - width : 0; };
  int left = kGap;
  for (const Panel& panel : row.panels) {
    if (panel.apart) left += kGap;
    surface.text(left + indent(width_of(panel.caption)), y + kTextLine, panel.caption, kTextScale,
                 panel.marked ? kMark : kInk);
    draw_observation(surface, left + indent(extent.width), y + 2 * kTextLine, world, panel.observation);
    surface.text(left + indent(width_of(panel.note)), y + 2 * kTextLine + extent.height + kNoteGap,
                 panel.note, kTextScale, kInk);
    left += layout.step;
  }
}

template <typename Kind>
Kind draw(const World& world, const std::vector<PanelRow>& rows) {
  const Layout layout = layout_of(world, rows);
  Kind surface(layout.width + 2 * kGap, static_cast<int>(rows.size()) * layout.row_height + kGap, kPaper);
  for (size_t i = 0; i < rows.size(); ++i)
    draw_row(surface, kGap + static_cast<int>(i) * layout.row_height, world, rows[i], layout);
  return surface;
}

std::string terminal_caption(const Panel& panel) { return panel.caption + (panel.marked ? " *" : ""); }

std::string padded(const std::string& text, int columns, bool flush_right) {
  const std::string missing(static_cast<size_t>(std::max(0, columns - static_cast<int>(utf8_columns(text)))),
                            ' ');
  return flush_right ? missing + text : text + missing;
}

std::string line_of(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1) + '\n'; }

// Panels [begin, end) beside each other: a line of captions, the pictures, a line of notes.
std::string terminal_block(const World& world, const std::vector<Panel>& panels, size_t begin, size_t end,
                           int columns, bool colour) {
  const bool right = is_flush_right(world);
  const std::string margin(static_cast<size_t>(columns - terminal_columns(world)), ' ');
  std::string captions, notes;
  std::vector<std::string> pictures;
  for (size_t i = begin; i < end; ++i) {
    const Panel& panel = panels[i];
    const auto lines = terminal_lines(world, panel.observation, colour);
    pictures.resize(lines.size());
    for (size_t row = 0; row < lines.size(); ++row) {
      if (i > 0) pictures[row] += panel.arrow && row == lines.size() / 2 ? " → " : "   ";
      pictures[row] += right ? margin + lines[row] : lines[row] + margin;
    }
    const std::string between = i > 0 ? "   " : "";
    captions += between + padded(terminal_caption(panel), columns, right);
    notes += between + padded(panel.note, columns, right);
  }
  std::string text = line_of(captions);
  for (const std::string& line : pictures) text += colour ? line + '\n' : line_of(line);
  if (notes.find_first_not_of(' ') != std::string::npos) text += line_of(notes);
  return text;
}

}  // namespace

Canvas draw_panels(const World& world, const std::vector<PanelRow>& rows) {
  return draw<Canvas>(world, rows);
}

SvgCanvas draw_panels_svg(const World& world, const std::vector<PanelRow>& rows) {
  return draw<SvgCanvas>(world, rows);
}

std::string terminal_panels(const World& world, const std::vector<Panel>& panels, bool colour, int width) {
  int columns = terminal_columns(world);
  for (const Panel& panel : panels) {
    columns = std::max({columns, static_cast<int>(utf8_columns(terminal_caption(panel))),
                        static_cast<int>(utf8_columns(panel.note))});
  }
  const size_t beside =
      width > 0 ? static_cast<size_t>(std::max(1, (width + 3) / (columns + 3))) : panels.size();
  std::string text;
  for (size_t begin = 0; begin < panels.size(); begin += beside)
    text += terminal_block(world, panels, begin, std::min(begin + beside, panels.size()), columns, colour);
  return text;
}

}  // namespace neo
