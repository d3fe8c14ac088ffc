#include "eval/episodes.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace neo {

namespace {

// Which `count` of a file's episodes stand for all: the first ones, or, where program comes after program,
// evenly spread ones.
std::vector<int64_t> chosen_rows(EpisodeReader& reader, int64_t count) {
  const int64_t total = reader.info().episodes;
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  if (count < total && std::ranges::is_sorted(reader.program_indices(0, total))) {
    for (int64_t& row : rows) row = row * total / count;
  }
  return rows;
}

}  // namespace

EpisodeSet load_episodes(const std::filesystem::path& path, int64_t most) {
  EpisodeReader reader(path);
  const int64_t count = std::min(most, reader.info().episodes);
  if (count == 0) fail("{} holds no episodes", path.string());
  std::vector<uint8_t> bytes;
  std::vector<int32_t> programs;
  const auto rows = chosen_rows(reader, count);
  for (size_t i = 0; i < rows.size();) {  // stretches of neighbours
    size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    const auto length = static_cast<int64_t>(end - i);
    const auto some = reader.observations(rows[i], length);
    const auto theirs = reader.program_indices(rows[i], length);
    bytes.insert(bytes.end(), some.begin(), some.end());
    programs.insert(programs.end(), theirs.begin(), theirs.end());
    i = end;
  }
  const auto all = torch::from_blob(bytes.data(), {count, 4, reader.world().size()}, torch::kUInt8);
  EpisodeSet set;
  set.name = reader.info().split == "release" ? path.stem().string() : reader.info().split;
  set.world = &reader.world();
  for (const Program& program : reader.info().programs) {
    set.longest_program = std::max(set.longest_program, static_cast<int64_t>(program.size()));
  }
  for (int32_t program : programs)
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
