#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace neo {

// A pair to explain, and another one of its group to try the program on.
struct EpisodeRows {
  int64_t support = 0;
  std::optional<int64_t> query;  // nothing: the pair has no group, or it is the last of an odd number
};

// Groups may have any size and may be interleaved: the first pair of a group supports the second, the third the
// fourth, and so on. `group`: of every row; below 0: none. In the order of the support pairs.
std::vector<EpisodeRows> episode_rows(std::span<const int32_t> group);

}  // namespace neo
