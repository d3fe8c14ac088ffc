#include "eval/episodes.h"

#include <algorithm>
#include <sstream>

#include "data/groups.h"

namespace neo {

int64_t program_length(const std::string& program) {
  std::istringstream words(program);
  int64_t length = 0;
  for (std::string word; words >> word;) ++length;
  return length;
}

int64_t Episodes::longest_program() const {
  int64_t longest = 0;
  for (const std::string& program : programs) longest = std::max(longest, program_length(program));
  return longest;
}

Episodes episodes_of(const Pairs& pairs) {
  Episodes out{.name = pairs.name, .space = pairs.space, .benchmark = pairs.benchmark};
  std::vector<int64_t> support, query;
  for (const EpisodeRows& rows : episode_rows(pairs.group)) {
    if (!rows.query) continue;
    support.push_back(rows.support);
    query.push_back(*rows.query);
  }
  if (support.empty()) {
    out.support_x = pairs.x;
    out.support_y = pairs.y;
    out.programs = pairs.program;
    return out;
  }
  const Pairs first = rows_of(pairs, support), second = rows_of(pairs, query);
  out.support_x = first.x;
  out.support_y = first.y;
  out.query_x = second.x;
  out.query_y = second.y;
  out.programs = first.program;
  return out;
}

Episodes narrow(const Episodes& all, int64_t begin, int64_t count) {
  Episodes part{.name = all.name, .space = all.space, .benchmark = all.benchmark};
  const auto rows = [&](const torch::Tensor& t) { return t.defined() ? t.narrow(0, begin, count) : t; };
  part.support_x = rows(all.support_x);
  part.support_y = rows(all.support_y);
  part.query_x = rows(all.query_x);
  part.query_y = rows(all.query_y);
  if (!all.programs.empty())
    part.programs.assign(all.programs.begin() + begin, all.programs.begin() + begin + count);
  return part;
}

}  // namespace neo
