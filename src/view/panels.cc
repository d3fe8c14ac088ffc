#include "view/panels.h"

#include <algorithm>

#include "core/text.h"
#include "view/style.h"

namespace neo {
namespace {

constexpr Colour kMark{196, 30, 58};
constexpr int kNoteGap = 4;       // pixels between a picture and its note
constexpr int kWidestText = 200;  // pixels of a caption that may widen its panel
constexpr int kWidestTitle = 1280;

int width_of(const std::string& text) { return Surface::text_width(text, kTextScale); }

struct Arrangement {
  int step = 0;  // from the left edge of a panel to that of the next
  int row_height = 0;
  int width = 0;
};

Arrangement arrange(const View& view, const std::vector<PanelRow>& rows) {
  const Extent extent = view.extent();
  Arrangement all{extent.width, 2 * kTextLine + extent.height + kGap, 0};
  bool notes = false;
  for (const PanelRow& row : rows) {
    for (const Panel& panel : row.panels) {
      const int text = std::max(width_of(panel.caption), width_of(panel.note));
      all.step = std::max(all.step, std::min(text, kWidestText));
      notes |= !panel.note.empty();
    }
  }
  all.step += kGap;
  if (notes) all.row_height += kTextLine;
  for (const PanelRow& row : rows) {
    int width = -kGap;
    for (const Panel& panel : row.panels) width += all.step + (panel.apart ? kGap : 0);
    all.width = std::max({all.width, width, std::min(width_of(row.title), kWidestTitle)});
  }
  return all;
}

void draw_row(Surface& surface, int y, const View& view, const PanelRow& row, const Arrangement& all) {
  surface.text(kGap, y, Surface::clipped(row.title, all.width, kTextScale), kTextScale, kInk);
  const Extent extent = view.extent();
  const int panel_width = all.step - kGap;
  int left = kGap;
  const auto indent = [&](int width) { return view.is_flush_right() ? panel_width - width : 0; };
  const auto write = [&](int top, const std::string& text, Colour colour) {
    const std::string shown = Surface::clipped(text, panel_width, kTextScale);
    surface.text(left + indent(width_of(shown)), top, shown, kTextScale, colour);
  };
  for (const Panel& panel : row.panels) {
    if (panel.apart) left += kGap;
    write(y + kTextLine, panel.caption, panel.marked ? kMark : kInk);
    view.draw(surface, left + indent(extent.width), y + 2 * kTextLine, panel.observation);
    write(y + 2 * kTextLine + extent.height + kNoteGap, panel.note, kInk);
    left += all.step;
  }
}

template <typename Kind>
Kind draw_rows(const View& view, const std::vector<PanelRow>& rows) {
  const Arrangement all = arrange(view, rows);
  Kind surface(all.width + 2 * kGap, static_cast<int>(rows.size()) * all.row_height + kGap, kPaper);
  for (size_t i = 0; i < rows.size(); ++i)
    draw_row(surface, kGap + static_cast<int>(i) * all.row_height, view, rows[i], all);
  return surface;
}

std::string terminal_caption(const Panel& panel) { return panel.caption + (panel.marked ? " *" : ""); }

std::string filled_up(const std::string& text, int columns, bool flush_right) {
  const std::string missing(static_cast<size_t>(std::max(0, columns - static_cast<int>(utf8_columns(text)))),
                            ' ');
  return flush_right ? missing + text : text + missing;
}

std::string line_of(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1) + '\n'; }

bool is_blank(const std::string& line) { return line.find_first_not_of(' ') == std::string::npos; }

// Panels [begin, end) beside each other: a line of captions, the pictures, a line of notes.
std::string terminal_block(const View& view, const std::vector<Panel>& panels, size_t begin, size_t end,
                           int columns, bool colour) {
  const bool is_all = begin == 0 && end == panels.size();
  const bool right = view.is_flush_right();
  const std::string margin(static_cast<size_t>(columns - view.columns()), ' ');
  std::string captions, notes;
  std::vector<std::string> pictures;
  for (size_t i = begin; i < end; ++i) {
    const Panel& panel = panels[i];
    const auto lines = view.lines(panel.observation, colour);
    pictures.resize(lines.size());
    for (size_t row = 0; row < lines.size(); ++row) {
      if (i > 0 || !is_all) pictures[row] += panel.arrow && row == lines.size() / 2 ? " → " : "   ";
      pictures[row] += right ? margin + lines[row] : lines[row] + margin;
    }
    const std::string between = i > 0 || !is_all ? "   " : "";
    captions += between + filled_up(terminal_caption(panel), columns, right);
    notes += between + filled_up(panel.note, columns, right);
  }
  std::string text = is_blank(captions) ? "" : line_of(captions);
  for (const std::string& line : pictures) text += colour ? line + '\n' : line_of(line);
  if (!is_blank(notes)) text += line_of(notes);
  return text;
}

}  // namespace

Canvas draw_panels(const View& view, const std::vector<PanelRow>& rows) {
  return draw_rows<Canvas>(view, rows);
}

SvgCanvas draw_panels_svg(const View& view, const std::vector<PanelRow>& rows) {
  return draw_rows<SvgCanvas>(view, rows);
}

std::string terminal_panels(const View& view, const std::vector<Panel>& panels, bool colour, int width) {
  int columns = view.columns();
  for (const Panel& panel : panels) {
    columns = std::max({columns, static_cast<int>(utf8_columns(terminal_caption(panel))),
                        static_cast<int>(utf8_columns(panel.note))});
  }
  constexpr int kBetween = 3;
  const int step = columns + kBetween;
  const bool all_fit = width <= 0 || static_cast<int64_t>(panels.size()) * step - kBetween <= width;
  const size_t beside = all_fit ? panels.size() : static_cast<size_t>(std::max(1, width / step));
  std::string text;
  if (width > 0 && width < step) {  // not even an arrow has room beside one
    for (const Panel& panel : panels) {
      if (!text.empty()) text += panel.arrow ? "↓\n" : "\n";
      text += terminal_block(view, {panel}, 0, 1, columns, colour);
    }
    return text;
  }
  for (size_t begin = 0; begin < panels.size(); begin += beside)
    text += terminal_block(view, panels, begin, std::min(begin + beside, panels.size()), columns, colour);
  return text;
}

std::string terminal_row(const View& view, const std::vector<Observation>& observations, bool colour) {
  std::vector<Panel> panels;
  std::string line;  // where each observation is a single one
  for (const Observation& observation : observations) {
    panels.push_back({.caption = "", .observation = observation, .arrow = !panels.empty()});
    const auto lines = view.lines(observation, colour);
    if (lines.size() != 1) continue;
    line += line.empty() ? "" : " → ";
    line += trimmed(lines[0]);
  }
  const auto columns = static_cast<int64_t>(observations.size()) * (view.columns() + 3) - 3;
  if (!line.empty() && columns <= kTerminalWidth) return line + '\n';
  return terminal_panels(view, panels, colour, kTerminalWidth);
}

}  // namespace neo
