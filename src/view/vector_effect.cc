// What turns one vector into another, in words: VectorView::describe.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "view/layouts.h"
#include "view/share.h"

namespace neo {
namespace {

using Numbers = std::vector<double>;
using NumbersChange = std::pair<Numbers, Numbers>;

constexpr double kTolerance = 0.02;  // of the size of what is compared
constexpr size_t kMostNamed = 3;     // numbers that are named one by one

double middle(Numbers values) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double size_of(const Numbers& values) {
  double most = 0;
  for (double value : values) most = std::max(most, std::abs(value));
  return most;
}

std::string short_number(double value) { return fmt::format("{:.3g}", value == 0 ? 0.0 : value); }

// Of vectors: after = rule(before), as far as the tolerance allows.
double share_by_rule(const std::vector<NumbersChange>& changes,
                     const std::function<Numbers(const Numbers&)>& rule) {
  return share_of(changes, [&](const NumbersChange& change) {
    const auto& [before, after] = change;
    const Numbers made = rule(before);
    double apart = 0, moved = 0;
    for (size_t i = 0; i < after.size(); ++i) {
      apart = std::max(apart, std::abs(made[i] - after[i]));
      moved = std::max(moved, std::abs(before[i] - after[i]));
    }
    return apart <= kTolerance * moved + 1e-6 * size_of(before);
  });
}

// What happens to number i alone: "adds 0.5 to x3", "scales x3 by 2", "sets x3 to 0".
std::string describe_number(const std::vector<NumbersChange>& changes, size_t i, double share) {
  Numbers differences, ratios, results;
  for (const auto& [before, after] : changes) {
    differences.push_back(after[i] - before[i]);
    results.push_back(after[i]);
    if (before[i] != 0) ratios.push_back(after[i] / before[i]);
  }
  const double summand = middle(differences), factor = middle(ratios), result = middle(results);
  const auto holds = [&](const auto& rule) {
    return share_of(changes, [&](const NumbersChange& change) {
             const double from = change.first[i], to = change.second[i];
             return std::abs(rule(from) - to) <= kTolerance * std::abs(to - from) + 1e-6 * std::abs(from);
           }) >= share;
  };
  if (holds([&](double) { return result; }))
    return fmt::format("sets x{} to {}", i + 1, short_number(result));
  if (holds([&](double x) { return x + summand; }))
    return fmt::format("adds {} to x{}", short_number(summand), i + 1);
  if (holds([&](double x) { return x * factor; }))
    return factor == -1 ? fmt::format("negates x{}", i + 1)
                        : fmt::format("scales x{} by {}", i + 1, short_number(factor));
  return fmt::format("changes x{}", i + 1);
}

// Numbers that change on more than a few of the changes.
std::vector<size_t> changing(const std::vector<NumbersChange>& changes, double share) {
  std::vector<size_t> which;
  for (size_t i = 0; i < changes.front().first.size(); ++i) {
    const double kept = share_of(changes, [&](const NumbersChange& change) {
      const auto& [before, after] = change;
      double moved = 0;
      for (size_t k = 0; k < after.size(); ++k) moved = std::max(moved, std::abs(after[k] - before[k]));
      return std::abs(after[i] - before[i]) <= kTolerance * moved;
    });
    if (kept < share) which.push_back(i);
  }
  return which;
}

std::string describe_few(const std::vector<NumbersChange>& changes, const std::vector<size_t>& which,
                         double share) {
  if (which.size() == 2) {
    const double held = share_by_rule(changes, [&](Numbers x) {
      std::swap(x[which[0]], x[which[1]]);
      return x;
    });
    if (held >= share) return fmt::format("swaps x{} and x{}", which[0] + 1, which[1] + 1);
  }
  std::string words;
  for (size_t i : which) words += (words.empty() ? "" : ", ") + describe_number(changes, i, share);
  return words;
}

std::string describe_sum(const std::vector<NumbersChange>& changes, double share) {
  constexpr size_t kMostWritten = 6;
  Numbers summand;
  for (size_t i = 0; i < changes.front().first.size(); ++i) {
    Numbers differences;
    for (const auto& [before, after] : changes) differences.push_back(after[i] - before[i]);
    summand.push_back(middle(differences));
  }
  const double held = share_by_rule(changes, [&](Numbers x) {
    for (size_t i = 0; i < x.size(); ++i) x[i] += summand[i];
    return x;
  });
  if (held < share) return "";
  const bool is_same = std::all_of(summand.begin(), summand.end(), [&](double s) {
    return std::abs(s - summand[0]) <= kTolerance * size_of(summand);
  });
  if (is_same) return fmt::format("adds {}{}", short_number(summand[0]), summand.size() > 1 ? " to all" : "");
  std::string words;
  for (size_t i = 0; i < std::min(summand.size(), kMostWritten); ++i) {
    const bool nothing = std::abs(summand[i]) <= kTolerance * size_of(summand);
    words += (i > 0 ? ", " : "") + short_number(nothing ? 0 : summand[i]);
  }
  return fmt::format("adds ({}{})", words, summand.size() > kMostWritten ? ", ..." : "");
}

std::string describe_scale(const std::vector<NumbersChange>& changes, double share) {
  Numbers factors;
  for (const auto& [before, after] : changes) {
    double xx = 0, xy = 0;
    for (size_t i = 0; i < before.size(); ++i) xx += before[i] * before[i], xy += before[i] * after[i];
    if (xx > 0) factors.push_back(xy / xx);
  }
  const double factor = middle(factors);
  const double held = share_by_rule(changes, [&](Numbers x) {
    for (double& value : x) value *= factor;
    return x;
  });
  if (held < share) return "";
  if (std::abs(factor) < 1e-6) return "sets all to 0";
  return std::abs(factor + 1) < 1e-3 ? "negates" : fmt::format("scales by {}", short_number(factor));
}

}  // namespace

std::string VectorView::describe(const std::vector<Change>& changes, double share) const {
  if (changes.empty() || share_of(changes, is_unchanged) >= share) return "";
  std::vector<NumbersChange> numbers;
  for (const auto& [before, after] : changes)
    numbers.emplace_back(values_of(space(), before), values_of(space(), after));
  const auto which = changing(numbers, share);
  if (which.empty()) return "";
  if (which.size() <= kMostNamed && which.size() < numbers.front().first.size())
    return describe_few(numbers, which, share);
  if (std::string words = describe_sum(numbers, share); !words.empty()) return words;
  if (std::string words = describe_scale(numbers, share); !words.empty()) return words;
  const double reversed =
      share_by_rule(numbers, [](const Numbers& x) { return Numbers(x.rbegin(), x.rend()); });
  if (reversed >= share) return "reverse";
  return which.size() <= kMostNamed ? describe_few(numbers, which, share) : "";
}

}  // namespace neo
