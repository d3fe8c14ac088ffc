#include "benchmark/imaging/visibility.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/simd_clones.h"

namespace neo {
namespace {

constexpr int kSmallChange = 15;             // of 255
constexpr double kMaxUnchanged = 0.775;      // share of pixels
constexpr double kMinSquaredChange = 0.005;  // mean over channels on [0, 1]

struct Differences {
  int64_t squared = 0;           // sum over all channels, in 1/255^2
  int64_t surely_unchanged = 0;  // pixels whose channels all differ by less than kSmallChange
  int64_t maybe_unchanged = 0;   // by at most kSmallChange: there float rounding decides
};

constexpr size_t kBlock = 96;  // channels: few enough for 32-bit sums, whole pixels, whole vectors

NEO_SIMD_CLONES Differences compare(const uint8_t* before, const uint8_t* after, size_t channels) {
  Differences total;
  uint8_t gaps[kBlock];
  for (size_t start = 0; start < channels; start += kBlock) {
    const size_t count = std::min(kBlock, channels - start);
    int32_t squared = 0;
    for (size_t i = 0; i < count; ++i) {
      const auto gap = static_cast<int16_t>(before[start + i] - after[start + i]);
      gaps[i] = static_cast<uint8_t>(gap < 0 ? -gap : gap);
      squared += gap * gap;
    }
    uint8_t surely = 0;
    uint8_t maybe = 0;
    for (size_t i = 0; i < count; i += 3) {
      const uint8_t gap = std::max(std::max(gaps[i], gaps[i + 1]), gaps[i + 2]);
      surely += gap < kSmallChange;
      maybe += gap <= kSmallChange;
    }
    total.squared += squared;
    total.surely_unchanged += surely;
    total.maybe_unchanged += maybe;
  }
  return total;
}

// NumPy's pairwise summation.
float pairwise_sum(const float* values, size_t count) {
  constexpr size_t kLeaf = 128;
  constexpr size_t kLanes = 8;
  if (count > kLeaf) {
    const size_t half = count / 2 / kLanes * kLanes;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  float sum = 0;
  size_t i = 0;
  if (count >= kLanes) {
    float lane[kLanes];
    for (; i < kLanes; ++i) lane[i] = values[i];
    for (; i + kLanes <= count; i += kLanes) {
      for (size_t k = 0; k < kLanes; ++k) lane[k] += values[i + k];
    }
    sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

bool few_unchanged(int64_t unchanged, size_t channels) {
  const size_t pixels = channels / 3;
  return static_cast<double>(unchanged) / static_cast<double>(pixels) < kMaxUnchanged;
}

}  // namespace

bool internal::visibly_different_in_float(std::span<const uint8_t> before, std::span<const uint8_t> after) {
  std::vector<float> squared(before.size());
  int64_t unchanged = 0;
  for (size_t pixel = 0; pixel < before.size(); pixel += 3) {
    bool same = true;
    for (size_t i = pixel; i < pixel + 3; ++i) {
      const float gap = static_cast<float>(after[i]) / 255.0F - static_cast<float>(before[i]) / 255.0F;
      same &= std::abs(gap) < static_cast<float>(kSmallChange / 255.0);
      squared[i] = gap * gap;
    }
    unchanged += same;
  }
  const float mean = pairwise_sum(squared.data(), squared.size()) / static_cast<float>(squared.size());
  return few_unchanged(unchanged, before.size()) && mean >= static_cast<float>(kMinSquaredChange);
}

bool visibly_different(std::span<const uint8_t> before, std::span<const uint8_t> after) {
  NEO_CHECK_EQ(before.size(), after.size());
  NEO_CHECK_EQ(before.size() % 3, 0U);
  // Integers settle nearly every case: float rounding can neither move a difference across
  // the bound unless it is exactly 15, nor the mean square by a relative 1e-3.
  const Differences d = compare(before.data(), after.data(), before.size());
  const double mean = static_cast<double>(d.squared) / (255.0 * 255.0 * static_cast<double>(before.size()));
  if (mean < kMinSquaredChange * 0.999 || !few_unchanged(d.surely_unchanged, before.size())) return false;
  if (mean > kMinSquaredChange * 1.001 && few_unchanged(d.maybe_unchanged, before.size())) return true;
  return internal::visibly_different_in_float(before, after);
}

bool VisibleRun::run(const Program& program, ObservationView input) {
  current_.assign(input.begin(), input.end());
  next_.resize(input.size());
  for (const int primitive : program) {
    apply_edit(static_cast<Edit>(primitive), current_, next_);
    std::swap(current_, next_);
    if (!visibly_different(next_, current_)) return false;
  }
  // One step is the whole.
  return program.size() == 1 || visibly_different(input, current_);
}

}  // namespace neo
