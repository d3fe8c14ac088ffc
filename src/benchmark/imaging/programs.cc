#include "benchmark/imaging/programs.h"

#include <algorithm>
#include <array>

#include "benchmark/imaging/edits.h"
#include "core/error.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr uint32_t kSplitSeed = 43;

// How often an edit may stand in one program: the flips undo themselves, a second mask does nothing, four
// rotations are none, and a third halving of the brightness would hardly ever show.
int repeat_limit(Edit edit) {
  switch (edit) {
    case Edit::kHorizontalFlip:
    case Edit::kVerticalFlip:
    case Edit::kMasking:
      return 1;
    case Edit::kBrightnessMinus:
      return 2;
    case Edit::kRotation:
      return 3;
    default:
      return 4;
  }
}

bool allowed(const Program& program) {
  std::array<int, kEdits> count{};
  for (const int edit : program) {
    if (++count[edit] > repeat_limit(static_cast<Edit>(edit))) return false;
  }
  const auto has = [&](Edit edit) { return count[static_cast<int>(edit)] > 0; };
  return !(has(Edit::kBrightnessMinus) && has(Edit::kBrightnessPlus)) &&
         !(has(Edit::kHueMinus) && has(Edit::kHuePlus));
}

void extend(Program& prefix, int length, std::vector<Program>& programs) {
  if (static_cast<int>(prefix.size()) == length) {
    if (allowed(prefix)) programs.push_back(prefix);
    return;
  }
  for (int edit = prefix.empty() ? 0 : prefix.back(); edit < kEdits; ++edit) {
    prefix.push_back(edit);
    extend(prefix, length, programs);
    prefix.pop_back();
  }
}

bool is_anchor(const Program& program) { return program.size() == 2 && program[0] == program[1]; }

bool is_unrepeatable(const Program& program) {
  return program.size() == 1 && repeat_limit(static_cast<Edit>(program[0])) == 1;
}

}  // namespace

std::vector<Program> imaging_programs(int min_length, int max_length) {
  std::vector<Program> programs;
  for (int length = min_length; length <= max_length; ++length) {
    Program prefix;
    extend(prefix, length, programs);
  }
  return programs;
}

ImagingSplit split_imaging_programs(double alpha) {
  if (!(alpha >= 0.0 && alpha <= 1.0)) fail_usage("alpha must lie in [0, 1], not {}", alpha);
  const auto all = imaging_programs(1, 2);
  ImagingSplit split;
  if (alpha == 1.0) {
    split.in_distribution = all;
    return split;
  }
  std::vector<Program> open;
  std::copy_if(all.begin(), all.end(), std::back_inserter(split.in_distribution), is_anchor);
  std::copy_if(all.begin(), all.end(), std::back_inserter(split.in_distribution), is_unrepeatable);
  std::copy_if(all.begin(), all.end(), std::back_inserter(open),
               [](const Program& program) { return !is_anchor(program) && !is_unrepeatable(program); });

  const auto order = NumpyRandom(kSplitSeed).permutation(static_cast<int64_t>(open.size()));
  std::vector<bool> kept(open.size());
  for (size_t i = 0; i < static_cast<size_t>(static_cast<double>(open.size()) * alpha); ++i)
    kept[order[i]] = true;
  for (size_t i = 0; i < open.size(); ++i) {
    (kept[i] ? split.in_distribution : split.compositional).push_back(open[i]);
  }
  return split;
}

std::vector<Program> imaging_length_programs() { return imaging_programs(3, 4); }

}  // namespace neo
