#include "app/inputs.h"

#include <fmt/format.h>

#include "core/files.h"
#include "core/text.h"

namespace neo {
namespace fs = std::filesystem;
Observation given_observation(const View& view, const std::string& text) {
  std::string note;
  Observation observation = view.parse(text, &note);
  if (!note.empty()) fmt::print(stderr, "neo: {}\n", note);
  return observation;
}

void write_pictures(const PictureFiles& files, const View& view, const std::vector<PanelRow>& rows, bool quiet) {
  if (!files.png.empty()) draw_panels(view, rows).write_png(files.png);
  if (!files.svg.empty()) draw_panels_svg(view, rows).write_svg(files.svg);
  if (quiet) return;
  for (const fs::path& path : {files.png, files.svg})
    if (!path.empty() && !is_standard_output(path)) fmt::print("wrote {}\n", printable(path.string(), 400));
}

}  // namespace neo
