#include "benchmark/arithmetic/programs.h"

#include <algorithm>
#include <cmath>

#include "core/rng.h"

namespace neo {
namespace {

constexpr int kFactorCount = 4;
constexpr uint64_t kSplitSeed = 42;

void extend(Program& prefix, int least, int remaining, std::vector<Program>& out) {
  if (remaining == 0) {
    out.push_back(prefix);
    return;
  }
  for (int factor = least; factor < kFactorCount; ++factor) {
    prefix.push_back(factor);
    extend(prefix, factor, remaining - 1, out);
    prefix.pop_back();
  }
}

bool is_anchor(const Program& p) { return p.size() == 3 && p[0] == p[1] && p[1] == p[2]; }

std::vector<Program> sampled_held_out(double alpha) {
  std::vector<Program> held_out;
  RngStream random(kSplitSeed, "arithmetic split");
  for (int length = 1; length <= 3; ++length) {
    std::vector<Program> others = arithmetic_programs(length, length);
    std::erase_if(others, is_anchor);
    random.shuffle(others);
    const auto kept = static_cast<size_t>(std::ceil(alpha * static_cast<double>(others.size())));
    held_out.insert(held_out.end(), others.begin() + static_cast<std::ptrdiff_t>(kept), others.end());
  }
  return held_out;
}

}  // namespace

std::vector<Program> arithmetic_programs(int shortest, int longest) {
  std::vector<Program> programs;
  for (int length = shortest; length <= longest; ++length) {
    Program prefix;
    extend(prefix, 0, length, programs);
  }
  return programs;
}

std::vector<Program> held_out_arithmetic_programs(double alpha) {
  if (alpha == 0.66) return {{1}, {1, 2}, {0, 2}, {1, 3, 3}, {0, 0, 3}, {1, 1, 2}, {0, 1, 3}, {0, 0, 2}};
  if (alpha == 0.33) {
    return {{2},       {1},       {0, 3},    {1, 2},    {0, 2},    {1, 3},    {0, 3, 3}, {0, 1, 3},
            {0, 1, 1}, {1, 3, 3}, {0, 0, 2}, {0, 0, 3}, {0, 2, 2}, {1, 2, 3}, {2, 3, 3}, {1, 1, 2}};
  }
  return sampled_held_out(alpha);
}

}  // namespace neo
