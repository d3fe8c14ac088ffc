#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace neo {
namespace {
int64_t share_of(int64_t total, double share) {
  return static_cast<int64_t>(share * static_cast<double>(total));
}
double half_cosine(double progress) { return 0.5 * (1 + std::cos(std::numbers::pi * progress)); }
}  // namespace

double warmup_cosine(int64_t t, int64_t total, double warmup, double floor, double hold) {
  const int64_t w = share_of(total, warmup);
  if (t < w) return static_cast<double>(t) / static_cast<double>(w);
  const int64_t falls = std::max(w, share_of(total, hold));
  if (t < falls) return 1.0;
  const double progress =
      static_cast<double>(t - falls) / static_cast<double>(std::max<int64_t>(total - falls, 1));
  return floor + (1 - floor) * half_cosine(std::min(progress, 1.0));
}

double cosine_between(int64_t t, int64_t total, double start, double end, double share) {
  const int64_t steps = share_of(total, share);
  if (t >= steps) return end;
  return end + (start - end) * half_cosine(static_cast<double>(t) / static_cast<double>(steps));
}

double linear_between(int64_t t, int64_t total, double start, double end, double share) {
  const int64_t steps = share_of(total, share);
  if (t >= steps) return end;
  return start + (end - start) * static_cast<double>(t) / static_cast<double>(steps);
}

}  // namespace neo
