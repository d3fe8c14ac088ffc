#include "report/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/rng.h"

namespace neo {
namespace {
constexpr size_t kResamples = 10000;
constexpr double kConfidence = 0.95;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> resampled_means(const std::vector<double>& values) {
  RngStream random(1, "bootstrap");
  std::vector<double> means(kResamples);
  for (double& mean : means) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) sum += values[random.below(values.size())];
    mean = sum / static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  return means;
}
}  // namespace

Summary summarize(const std::vector<double>& values) {
  if (values.empty()) return {};
  Summary s{.count = values.size(), .mean = mean_of(values)};
  s.low = s.high = s.mean;
  if (values.size() == 1) return s;
  double squares = 0;
  for (double value : values) squares += (value - s.mean) * (value - s.mean);
  s.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  const auto means = resampled_means(values);
  const auto tail = static_cast<size_t>((1.0 - kConfidence) / 2.0 * static_cast<double>(kResamples));
  s.low = means[tail];
  s.high = means[kResamples - 1 - tail];
  return s;
}

Verdict compare_with(const Summary& ours, const Published& theirs, bool less_is_better) {
  NEO_CHECK_LT(size_t{0}, ours.count);
  const double hidden = theirs.rounding / 2.0;
  const bool above = ours.low > theirs.value + hidden;
  const bool below = ours.high < theirs.value - hidden;
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
