#include "data/groups.h"

#include <unordered_map>

namespace neo {

std::vector<EpisodeRows> episode_rows(std::span<const int32_t> group) {
  std::vector<EpisodeRows> episodes;
  std::unordered_map<int32_t, size_t> waiting;  // by group: the episode that has no query yet
  for (size_t row = 0; row < group.size(); ++row) {
    const auto at = static_cast<int64_t>(row);
    if (group[row] >= 0) {
      const auto [entry, is_new] = waiting.try_emplace(group[row], episodes.size());
      if (!is_new) {
        episodes[entry->second].query = at;
        waiting.erase(entry);
        continue;
      }
    }
    episodes.push_back({at, std::nullopt});
  }
  return episodes;
}

}  // namespace neo
