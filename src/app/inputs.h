#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "neo/theory.h"
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

struct NamedPair {
  std::string name;
  Pair pair;
  std::optional<Pair> query;  // another pair of its group
};
// FILE:N or FILE:N,N,..., each with the `count` - 1 that follow: episodes where pairs come in groups, single pairs
// elsewhere. Empty: the first ID episode of a benchmark, the first example in a theory's file of own data.
std::vector<NamedPair> given_pairs(const std::string& refs, int64_t count, const Theory& theory);

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
