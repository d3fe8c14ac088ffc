#include "app/inputs.h"

#include <fmt/format.h>

#include "core/text.h"

namespace neo {
namespace fs = std::filesystem;
Observation given_observation(const View& view, const std::string& text) {
  std::string note;
  Observation observation = view.parse(text, &note);
  if (!note.empty()) fmt::print(stderr, "neo: {}\n", note);
  return observation;
}

void PictureFiles::write(const View& view, const std::vector<PanelRow>& rows, bool quiet) const {
  if (!png.empty()) draw_panels(view, rows).write_png(png);
  if (!svg.empty()) draw_panels_svg(view, rows).write_svg(svg);
  if (quiet) return;
  for (const fs::path& path : {png, svg})
    if (!path.empty()) fmt::print("wrote {}\n", printable(path.string(), 400));
}

}  // namespace neo
