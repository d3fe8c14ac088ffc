#include "report/statistics.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.h"

namespace neo {
namespace {
constexpr double kConfidence = 0.95;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The share of Student's distribution within -t .. t: the finite sums for whole degrees of freedom
// (Abramowitz and Stegun, 26.7.3 and 26.7.4).
double student_share(double t, int degrees_of_freedom) {
  const double angle = std::atan(t / std::sqrt(static_cast<double>(degrees_of_freedom)));
  const double squared = std::cos(angle) * std::cos(angle);
  const bool odd = degrees_of_freedom % 2 == 1;
  double term = odd ? std::cos(angle) : 1.0, sum = 0;
  for (int power = odd ? 1 : 0; power <= degrees_of_freedom - 2; power += 2) {
    sum += term;
    term *= squared * (power + 1.0) / (power + 2.0);
  }
  return odd ? 2.0 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}
}  // namespace

double student_quantile(double confidence, int degrees_of_freedom) {
  NEO_CHECK_LT(0, degrees_of_freedom);
  double low = 0, high = 1;
  while (student_share(high, degrees_of_freedom) < confidence) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (student_share(middle, degrees_of_freedom) < confidence ? low : high) = middle;
  }
  return high;
}

Summary summarize(const std::vector<double>& values) {
  if (values.empty()) return {};
  Summary s{.count = values.size(), .mean = mean_of(values)};
  if (values.size() == 1) return s;
  double squares = 0;
  for (double value : values) squares += (value - s.mean) * (value - s.mean);
  const auto n = static_cast<double>(values.size());
  s.deviation = std::sqrt(squares / (n - 1));
  const double half =
      student_quantile(kConfidence, static_cast<int>(values.size()) - 1) * s.deviation / std::sqrt(n);
  s.interval = Interval{s.mean - half, s.mean + half};
  return s;
}

Verdict compare_with(const Summary& ours, const Published& theirs, bool less_is_better) {
  NEO_CHECK_LT(size_t{0}, ours.count);
  if (!ours.interval) return Verdict::kEqual;
  const double hidden = theirs.rounding / 2.0;
  const bool above = ours.interval->low > theirs.value + hidden;
  const bool below = ours.interval->high < theirs.value - hidden;
  if (!above && !below) return Verdict::kEqual;
  return above != less_is_better ? Verdict::kAhead : Verdict::kBehind;
}

std::string verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAhead:
      return "ahead";
    case Verdict::kEqual:
      return "equal";
    case Verdict::kBehind:
      break;
  }
  return "behind";
}

}  // namespace neo
