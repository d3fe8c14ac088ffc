#include "view/strip.h"

#include <algorithm>

#include "core/error.h"

namespace neo {

PanelRow panels_of(const Strip& strip) {
  NEO_CHECK_EQ(strip.states.size(), strip.codes.size() + 1);
  PanelRow row{strip.title, {{"x", strip.states[0]}}};
  for (size_t i = 0; i < strip.codes.size(); ++i) {
    const bool last = i + 1 == strip.codes.size();
    row.panels.push_back({.caption = strip.codes[i] + (last ? " = ŷ" : ""),
                          .observation = strip.states[i + 1],
                          .note = i < strip.notes.size() ? strip.notes[i] : "",
                          .marked = std::count(strip.marked.begin(), strip.marked.end(), i + 1) > 0,
                          .arrow = true});
  }
  if (strip.target) row.panels.push_back({.caption = "y", .observation = *strip.target, .apart = true});
  return row;
}

}  // namespace neo
