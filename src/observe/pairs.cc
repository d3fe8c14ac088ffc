#include "observe/pairs.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "data/groups.h"
#include "data/pair_digest.h"
#include "observe/tensors.h"

namespace neo {
namespace {

constexpr int64_t kPairsAtOnce = 1 << 14;

// Which rows stand for all: `most` pairs or episodes, the first ones, or evenly spread where program follows program or
// may do so.
std::vector<int64_t> chosen_rows(const PairLabels& labels, int64_t most) {
  const auto episodes = episode_rows(labels.group);
  const auto count = static_cast<int64_t>(episodes.size());
  const auto& program = labels.program;
  const bool is_unknown = std::ranges::all_of(program, [](int32_t number) { return number < 0; });
  const bool is_sorted = std::ranges::is_sorted(program) && program.front() != program.back();
  const bool spread = most < count && (is_unknown || is_sorted);
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < std::min(most, count); ++i) {
    const EpisodeRows& episode = episodes[static_cast<size_t>(spread ? i * count / most : i)];
    rows.push_back(episode.support);
    if (episode.query) rows.push_back(*episode.query);
  }
  std::ranges::sort(rows);
  return rows;
}

// The observations of ascending rows, neighbours in one read.
void read_rows(PairReader& reader, Part part, const std::vector<int64_t>& rows, Pairs& pairs) {
  const auto count = static_cast<int64_t>(rows.size());
  pairs.x = torch::empty({count, pairs.space.size()}, dtype_of(pairs.space));
  pairs.y = torch::empty_like(pairs.x);
  for (int64_t begin = 0, end = 0; begin < count; begin = end) {
    const auto row = [&](int64_t i) { return rows[static_cast<size_t>(i)]; };
    for (end = begin + 1; end < count && end - begin < kPairsAtOnce && row(end) == row(end - 1) + 1;) ++end;
    const PairBlock block = reader.read(part, row(begin), end - begin);
    std::memcpy(pairs.x.narrow(0, begin, end - begin).data_ptr(), block.x.data(), block.x.size());
    std::memcpy(pairs.y.narrow(0, begin, end - begin).data_ptr(), block.y.data(), block.y.size());
  }
}

torch::Tensor index_of(const std::vector<int64_t>& rows) { return torch::tensor(rows, torch::kLong); }

}  // namespace

Pairs load_pairs(const std::filesystem::path& path, Part part, int64_t most) {
  PairReader reader(path);
  const PairFileInfo& info = reader.info();
  const int64_t count = reader.count(part);
  if (count == 0) fail("{} holds no pairs{}", path.string(), part == Part::held_out ? " that were held out" : "");
  Pairs pairs{.name = info.split.empty() || info.split == "release" ? path.stem().string() : info.split,
              .space = info.space,
              .benchmark = info.benchmark,
              .alpha = info.alpha,
              .digest = info.digest};
  const PairLabels labels = reader.labels(part);
  std::vector<int64_t> rows(static_cast<size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  if (most < count) rows = chosen_rows(labels, most);
  read_rows(reader, part, rows, pairs);
  for (int64_t row : rows) {
    if (info.grouped) pairs.group.push_back(labels.group[static_cast<size_t>(row)]);
    if (info.programs.empty()) continue;
    const int32_t program = labels.program[static_cast<size_t>(row)];
    pairs.program.push_back(program < 0 ? "" : info.programs[static_cast<size_t>(program)]);
  }
  return pairs;
}

Pairs load_evaluation_pairs(const std::filesystem::path& path, int64_t most) {
  const Part part = PairReader(path).count(Part::held_out) > 0 ? Part::held_out : Part::main;
  return load_pairs(path, part, most);
}

Pairs to_pairs(const std::string& name, const Space& space, const std::vector<Pair>& list) {
  Pairs pairs{.name = name, .space = space};
  Observation x, y;
  PairDigest digest;
  const bool grouped = std::ranges::any_of(list, [](const Pair& p) { return p.group >= 0; });
  const bool named = std::ranges::any_of(list, [](const Pair& p) { return !p.program.empty(); });
  for (const Pair& pair : list) {
    x.insert(x.end(), pair.x.begin(), pair.x.end());
    y.insert(y.end(), pair.y.begin(), pair.y.end());
    if (grouped) pairs.group.push_back(pair.group);
    if (named) pairs.program.push_back(pair.program);
    digest.add(pair.x, pair.y, pair.group, pair.program);
  }
  pairs.x = to_rows(space, x);
  pairs.y = to_rows(space, y);
  pairs.digest = digest.finish_hex();
  return pairs;
}

Pairs rows_of(const Pairs& pairs, const std::vector<int64_t>& rows) {
  Pairs some = pairs;
  some.x = pairs.x.index_select(0, index_of(rows));
  some.y = pairs.y.index_select(0, index_of(rows));
  some.group.clear();
  some.program.clear();
  for (int64_t row : rows) {
    if (!pairs.group.empty()) some.group.push_back(pairs.group[static_cast<size_t>(row)]);
    if (!pairs.program.empty()) some.program.push_back(pairs.program[static_cast<size_t>(row)]);
  }
  return some;
}

Pairs subsample(const Pairs& pairs, int64_t most) {
  if (pairs.size() <= most) return pairs;
  std::vector<int64_t> rows(static_cast<size_t>(most));
  for (int64_t i = 0; i < most; ++i) rows[static_cast<size_t>(i)] = i * pairs.size() / most;
  return rows_of(pairs, rows);
}

void require_fit(const Pairs& pairs, const Space& theory) {
  if (!fits(pairs.space, theory))
    fail("the pairs of {} are each a {}, the theory is of a {}; choose matching ones", pairs.name,
         describe(pairs.space), describe(theory));
}

}  // namespace neo
