#include "eval/episodes.h"

#include <algorithm>

#include "core/error.h"

namespace neo {

EpisodeSet load_episodes(const std::filesystem::path& path, int64_t most) {
  EpisodeReader reader(path);
  const int64_t count = std::min(most, reader.info().episodes);
  if (count == 0) fail("{} holds no episodes", path.string());
  auto bytes = reader.observations(0, count);
  const auto all = torch::from_blob(bytes.data(), {count, 4, reader.world().size()}, torch::kUInt8);
  EpisodeSet set;
  set.name = reader.info().split == "release" ? path.stem().string() : reader.info().split;
  set.world = &reader.world();
  for (const Program& program : reader.info().programs) {
    set.longest_program = std::max(set.longest_program, static_cast<int64_t>(program.size()));
  }
  for (int32_t program : reader.program_indices(0, count))
    set.programs.push_back(reader.info().programs[static_cast<size_t>(program)]);
  set.support_x = all.select(1, 0).clone();
  set.support_y = all.select(1, 1).clone();
  set.query_x = all.select(1, 2).clone();
  set.query_y = all.select(1, 3).clone();
  return set;
}

EpisodeSet episodes_of(const World& world, const std::string& name, const std::vector<Episode>& episodes) {
  EpisodeSet set;
  set.name = name;
  set.world = &world;
  const auto stacked = [&](auto part) {
    auto out = torch::empty({static_cast<int64_t>(episodes.size()), world.size()}, torch::kUInt8);
    auto* to = out.template data_ptr<uint8_t>();
    for (const Episode& e : episodes) to = std::copy((e.*part).begin(), (e.*part).end(), to);
    return out;
  };
  set.support_x = stacked(&Episode::support_x);
  set.support_y = stacked(&Episode::support_y);
  set.query_x = stacked(&Episode::query_x);
  set.query_y = stacked(&Episode::query_y);
  for (const Episode& e : episodes) {
    set.programs.push_back(e.program);
    set.longest_program = std::max(set.longest_program, static_cast<int64_t>(e.program.size()));
  }
  return set;
}

}  // namespace neo
