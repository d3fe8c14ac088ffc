#include "app/inputs.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"
#include "worlds/parse.h"

namespace neo {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostEpisodes = 100;  // at once: they share one picture

struct EpisodeRefs {
  fs::path file;
  std::vector<int64_t> indices;
};

EpisodeRefs parse_episodes(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, {0}};
  EpisodeRefs refs{text.substr(0, colon), {}};
  const char* const end = text.data() + text.size();
  for (const char* at = text.data() + colon; at != end;) {  // at the colon, or at a comma
    const auto [rest, error] = std::from_chars(at + 1, end, refs.indices.emplace_back());
    if (error != std::errc() || (rest != end && *rest != ','))
      fail_usage("'{}' names no episode; write FILE:NUMBER or FILE:NUMBER,NUMBER, for example id.h5:7", text);
    at = rest;
  }
  return refs;
}

}  // namespace

Observation given_observation(const World& world, const std::string& text) {
  std::string note;
  Observation observation = parse_observation(world, text, &note);
  if (!note.empty()) fmt::print(stderr, "neo: {}\n", note);
  return observation;
}

std::vector<NamedEpisode> given_episodes(const std::string& text, int64_t count, const LoadedTheory& theory) {
  const EpisodeRefs refs = text.empty()
                               ? EpisodeRefs{ensure_split(theory.info.world, theory.info.alpha, "id"), {0}}
                               : parse_episodes(text);
  if (refs.indices.size() * static_cast<size_t>(count) > kMostEpisodes)
    fail_usage("more than {} episodes at once; ask for fewer", kMostEpisodes);
  EpisodeReader reader(refs.file);
  if (&reader.world() != &theory.model->world()) {
    fail("{} holds {} episodes, the theory is of {}; choose matching files", refs.file.string(),
         reader.info().world, theory.info.world);
  }
  std::vector<NamedEpisode> episodes;
  for (int64_t first : refs.indices) {
    for (int64_t i = 0; i < count; ++i) {
      Episode episode = reader.episode(first + i);
      std::string program = reader.world().program_text(episode.program);
      episodes.push_back({fmt::format("episode {}", first + i), std::move(episode), std::move(program)});
    }
  }
  return episodes;
}

void PictureFiles::write(const World& world, const std::vector<PanelRow>& rows, bool quiet) const {
  if (!png.empty()) draw_panels(world, rows).write_png(png);
  if (!svg.empty()) draw_panels_svg(world, rows).write_svg(svg);
  if (quiet) return;
  for (const fs::path& path : {png, svg})
    if (!path.empty()) fmt::print("wrote {}\n", path.string());
}

}  // namespace neo
