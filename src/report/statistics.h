#pragma once

#include <string>
#include <vector>

namespace neo {

// A handful of values of the same quantity, one per seed.
struct Summary {
  size_t count = 0;
  double mean = 0;
  double deviation = 0;      // sample standard deviation; 0 for a single value
  double low = 0, high = 0;  // 95 % bootstrap interval of the mean (percentiles); the value itself for one
};
// The bootstrap draws with a fixed seed: the same values always give the same interval.
Summary summarize(const std::vector<double>& values);

// How a mean stands against a published figure.
//   ahead, behind   the whole interval lies on that side of it, beyond what rounding hides
//   equal           neither
enum class Verdict { kAhead, kEqual, kBehind };
struct Published {
  double value = 0;
  double rounding = 0.001;  // the step that `value` was rounded to
};
Verdict compare_with(const Summary& ours, const Published& theirs, bool less_is_better);
std::string verdict_name(Verdict verdict);  // "ahead", ...

}  // namespace neo
