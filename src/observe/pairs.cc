#include "observe/pairs.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "data/pair_digest.h"
#include "observe/tensors.h"

namespace neo {
namespace {

constexpr int64_t kPairsAtOnce = 1 << 14;

// Groups (or single pairs) as stretches of neighbouring rows.
std::vector<int64_t> stretch_starts(const std::vector<int32_t>& group) {
  std::vector<int64_t> starts;
  for (size_t i = 0; i < group.size(); ++i) {
    if (i == 0 || group[i] < 0 || group[i] != group[i - 1]) starts.push_back(static_cast<int64_t>(i));
  }
  return starts;
}

// Which rows stand for all: `most` stretches, the first ones, or evenly spread where program follows program.
std::vector<int64_t> chosen_rows(const std::vector<int32_t>& group, const std::vector<int32_t>& program, int64_t most) {
  const auto total = static_cast<int64_t>(group.size());
  auto starts = stretch_starts(group);
  std::vector<int64_t> rows;
  const auto count = static_cast<int64_t>(starts.size());
  const bool spread = std::ranges::is_sorted(program) && !program.empty() && program.front() != program.back();
  starts.push_back(total);
  for (int64_t i = 0; i < std::min(most, count); ++i) {
    const auto at = static_cast<size_t>(spread && most < count ? i * count / most : i);
    for (int64_t row = starts[at]; row < starts[at + 1]; ++row) rows.push_back(row);
  }
  return rows;
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
  pairs.x = torch::empty({count, info.space.size()}, dtype_of(info.space));
  pairs.y = torch::empty_like(pairs.x);
  std::vector<int32_t> group, program;
  for (int64_t begin = 0; begin < count; begin += kPairsAtOnce) {
    const int64_t rows = std::min(kPairsAtOnce, count - begin);
    const PairBlock block = reader.read(part, begin, rows);
    std::memcpy(pairs.x.narrow(0, begin, rows).data_ptr(), block.x.data(), block.x.size());
    std::memcpy(pairs.y.narrow(0, begin, rows).data_ptr(), block.y.data(), block.y.size());
    group.insert(group.end(), block.group.begin(), block.group.end());
    program.insert(program.end(), block.program.begin(), block.program.end());
  }
  if (info.grouped) pairs.group = group;
  for (size_t i = 0; i < program.size() && !info.programs.empty(); ++i)
    pairs.program.push_back(program[i] < 0 ? "" : info.programs[static_cast<size_t>(program[i])]);
  if (most >= count) return pairs;
  return rows_of(pairs, chosen_rows(group, program, most));
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
