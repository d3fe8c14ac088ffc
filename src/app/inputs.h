#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/common.h"
#include "worlds/panels.h"
#include "worlds/world.h"

namespace neo {

// What a user asks about: observations of their own, or episodes.

struct InputPair {
  std::string name;
  Observation x;
  std::optional<Observation> y;
};

// An observation as the user wrote it; what had to be converted is told on standard error.
Observation given_observation(const World& world, const std::string& text);

struct NamedEpisode {
  std::string name;
  Episode episode;
  std::string program;  // the hidden one; for captions only
};
// FILE:N or FILE:N,N,..., each with the `count` - 1 that follow; empty: the first ID episode. An Error where
// the file is of another world.
std::vector<NamedEpisode> given_episodes(const std::string& refs, int64_t count, const LoadedTheory& theory);

// Where drawings go instead of the terminal; empty: nowhere.
struct PictureFiles {
  std::filesystem::path png, svg;
  bool wanted() const { return !png.empty() || !svg.empty(); }
  void write(const World& world, const std::vector<PanelRow>& rows, bool quiet) const;
};

}  // namespace neo
