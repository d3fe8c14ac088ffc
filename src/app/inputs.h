#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "neo/given_pairs.h"
#include "view/panels.h"

namespace neo {

// What a user asks about: their own observations, or pairs of a file.

struct InputPair {
  std::string name;
  Observation x;
  std::optional<Observation> y;
};

// An observation as the user wrote it; conversions are reported on standard error.
Observation given_observation(const View& view, const std::string& text);

// Where drawings go instead of the terminal; empty: nowhere.
struct PictureFiles {
  std::filesystem::path png, svg;
  bool wanted() const { return !png.empty() || !svg.empty(); }
  void write(const View& view, const std::vector<PanelRow>& rows, bool quiet) const;
};

// How --x and --y are described in a command's help.
inline constexpr const char* kObservationHelp =
    "text in the theory's own form (a number, cells row by row, tokens, numbers), @FILE with such text, or a "
    ".npy, .json or .png file";

}  // namespace neo
