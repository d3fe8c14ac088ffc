#include "benchmark/gridworld/programs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "benchmark/gridworld/gridworld.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr uint32_t kSplitSeed = 1127;

// A probe grid and the bounding box of its object. Behaviour on these five grids tells programs apart. A move
// off the edge grows the grid: to the right and below the object moves on, above and to the left its
// coordinates stay. The last probe is small enough for that to happen, which makes 122 programs of length
// 4 to 8 out of 120 displacements.
struct Probe {
  int height, width;
  int top, bottom, left, right;
  auto operator<=>(const Probe&) const = default;
};
using Behaviour = std::array<Probe, 5>;
constexpr Behaviour kProbes{{{20, 20, 8, 10, 9, 10},
                             {20, 20, 7, 9, 10, 11},
                             {20, 20, 8, 10, 10, 12},
                             {20, 20, 9, 10, 8, 10},
                             {15, 25, 6, 8, 11, 13}}};

void move_along(int step, int& size, int& low, int& high) {
  if (step == 0) return;
  const bool grows = step < 0 ? low == 0 : high == size - 1;
  if (grows) ++size;
  if (grows && step < 0) return;
  low += step;
  high += step;
}

Behaviour moved(Behaviour behaviour, int move) {
  const auto [dy, dx] = kMoveStep[static_cast<size_t>(move)];
  for (Probe& probe : behaviour) {
    move_along(dy, probe.height, probe.top, probe.bottom);
    move_along(dx, probe.width, probe.left, probe.right);
  }
  return behaviour;
}

// Programs compare by length, then by name: down < left < right < up.
bool comes_before(const Program& a, const Program& b) {
  static constexpr std::array<int, 4> rank{3, 2, 0, 1};  // of up, right, down, left
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](int p, int q) { return rank[p] < rank[q]; });
}

}  // namespace

std::vector<Program> canonical_grid_programs(int shortest, int longest) {
  // Level by level: of all programs with one behaviour the first in order represents it, and every
  // representative extends a representative, so only those need extending.
  std::map<Behaviour, Program> representatives{{kProbes, {}}};
  std::vector<std::pair<Program, Behaviour>> level{{{}, kProbes}};
  for (int length = 1; length <= longest; ++length) {
    std::map<Behaviour, Program> found;
    for (const auto& [program, behaviour] : level) {
      for (int move : {kUp, kRight, kDown, kLeft}) {
        const Behaviour next = moved(behaviour, move);
        if (representatives.count(next) > 0) continue;
        Program longer = program;
        longer.push_back(move);
        const auto [entry, is_new] = found.try_emplace(next, longer);
        if (!is_new && comes_before(longer, entry->second)) entry->second = longer;
      }
    }
    level.clear();
    for (const auto& [behaviour, program] : found) {
      representatives.emplace(behaviour, program);
      level.emplace_back(program, behaviour);
    }
  }
  std::vector<Program> programs;
  for (const auto& [behaviour, program] : representatives) {
    if (static_cast<int>(program.size()) >= shortest && !program.empty()) programs.push_back(program);
  }
  std::sort(programs.begin(), programs.end(), comes_before);
  return programs;
}

ProgramSplit split_grid_programs(double alpha) {
  const std::vector<Program> all = canonical_grid_programs(1, 3);
  std::set<Program> train;
  for (int move : {kUp, kDown, kRight, kLeft}) train.insert(Program(3, move));
  std::vector<Program> others;
  std::copy_if(all.begin(), all.end(), std::back_inserter(others),
               [&](const Program& p) { return train.count(p) == 0; });
  const auto kept = static_cast<size_t>(std::ceil(alpha * static_cast<double>(others.size())));
  for (const Program& program : PythonRandom(kSplitSeed).sample(others, kept)) train.insert(program);
  ProgramSplit split;
  for (const Program& program : all)
    (train.count(program) > 0 ? split.train : split.held_out).push_back(program);
  return split;
}

}  // namespace neo
