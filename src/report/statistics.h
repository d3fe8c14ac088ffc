#pragma once

#include <optional>
#include <string>
#include <vector>

namespace neo {

struct Interval {
  double low = 0, high = 0;
};

// A handful of values of the same quantity, one per seed.
struct Summary {
  size_t count = 0;
  double mean = 0;
  double deviation = 0;              // sample standard deviation; 0 for a single value
  std::optional<Interval> interval;  // Student's t, 95 %, of the mean over seeds; a single value has none
};
Summary summarize(const std::vector<double>& values);

// The t that a share `confidence` of Student's distribution lies within, -t .. t.
double student_quantile(double confidence, int degrees_of_freedom);

// How a mean stands against a published figure.
//   ahead, behind   the whole interval lies on that side of it, beyond what rounding hides
//   equal           neither, as with a single seed, which has no interval
enum class Verdict { kAhead, kEqual, kBehind };
struct Published {
  double value = 0;
  double rounding = 0.001;  // the step that `value` was rounded to
};
Verdict compare_with(const Summary& ours, const Published& theirs, bool less_is_better);
std::string verdict_name(Verdict verdict);  // "ahead", ...

}  // namespace neo
