// What turns one image into another, in words and by simple statistics: ImageView::describe.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "view/cells.h"
#include "view/layouts.h"
#include "view/share.h"

namespace neo {
namespace {

// Levels are 0 to 255.
constexpr double kSameLevels = 2;   // mean distance of images that look the same
constexpr double kSameShare = 0.2;  // or this share of how far the image has changed
constexpr double kClearLevels = 4;  // a change of the mean that is seen
constexpr size_t kMostImages = 48;  // that are looked at

struct ImageChange {
  Cells before, after;
  double apart;  // mean distance
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<int64_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean_distance(const Cells& a, const Cells& b) {
  double sum = 0;
  for (size_t i = 0; i < a.values.size(); ++i)
    sum += static_cast<double>(std::abs(a.values[i] - b.values[i]));
  return sum / static_cast<double>(a.values.size());
}

bool is_close(double distance, const ImageChange& change) {
  return distance <= std::max(kSameLevels, kSameShare * change.apart) && distance < change.apart;
}

// Only of what was in the picture before.
bool is_moved(const ImageChange& change, const Move& move) {
  const Cells& b = change.before;
  if (move.turns && b.rows != b.columns) return false;
  double sum = 0;
  int64_t count = 0;
  for (int64_t r = 0; r < b.rows; ++r) {
    for (int64_t c = 0; c < b.columns; ++c) {
      const auto [row, column] = move.source(b, r, c);
      if (row < 0 || row >= b.rows || column < 0 || column >= b.columns) continue;
      for (int64_t k = 0; k < b.channels; ++k, ++count)
        sum += static_cast<double>(std::abs(b.at(row, column, k) - change.after.at(r, c, k)));
    }
  }
  return count > 0 && is_close(sum / static_cast<double>(count), change);
}

std::string describe_image_move(const std::vector<ImageChange>& changes, double share) {
  std::string best;
  double most = 0;
  for (const Move& move : all_moves()) {
    const double held = share_of(changes, [&](const ImageChange& change) { return is_moved(change, move); });
    if (held < share || held <= most) continue;
    most = held;
    best = move.name;
  }
  return best;
}

struct Permutation {
  std::string_view name;
  std::array<int64_t, 3> source;
};

std::string describe_channels(const std::vector<ImageChange>& changes, double share) {
  constexpr std::array<Permutation, 5> kPermutations{{{"swap red and green", {1, 0, 2}},
                                                      {"swap red and blue", {2, 1, 0}},
                                                      {"swap green and blue", {0, 2, 1}},
                                                      {"red to green to blue to red", {2, 0, 1}},
                                                      {"red to blue to green to red", {1, 2, 0}}}};
  if (changes.front().before.channels < 3) return "";
  for (const Permutation& permutation : kPermutations) {
    const double held = share_of(changes, [&](const ImageChange& change) {
      Cells permuted = change.before;
      for (int64_t i = 0; i < permuted.rows * permuted.columns; ++i)
        for (int64_t k = 0; k < 3; ++k)
          permuted.values[static_cast<size_t>(i * permuted.channels + k)] =
              change.before.at(0, i, permutation.source[static_cast<size_t>(k)]);
      return is_close(mean_distance(permuted, change.after), change);
    });
    if (held >= share) return std::string(permutation.name);
  }
  return "";
}

// How one image's levels follow from those before.
struct Levels {
  enum class Kind { invert, add, times, contrast, saturation } kind;
  double amount;
};

bool is_alpha(const Cells& cells, size_t i) { return cells.channels == 4 && i % 4 == 3; }

// Least squares of after = a before + b over what is not cut off at black or white; nullopt where that is no
// good description.
std::optional<std::pair<double, double>> affine_fit(const ImageChange& change) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  const auto each = [&](const auto& action) {
    for (size_t i = 0; i < change.before.values.size(); ++i) {
      const auto from = static_cast<double>(change.before.values[i]),
                 to = static_cast<double>(change.after.values[i]);
      if (!is_alpha(change.before, i)) action(from, to);
    }
  };
  each([&](double from, double to) {
    if (to <= 0 || to >= 255) return;
    n += 1, x += from, y += to, xx += from * from, xy += from * to;
  });
  const double spread = n * xx - x * x;
  if (n < 2 || spread <= 0) return std::nullopt;
  const double a = (n * xy - x * y) / spread, b = (y - a * x) / n;
  double distance = 0, count = 0;
  each([&](double from, double to) {
    distance += std::abs(std::clamp(a * from + b, 0.0, 255.0) - to), count += 1;
  });
  if (!is_close(distance / count, change)) return std::nullopt;
  return std::pair(a, b);
}

double light(const Cells& cells, int64_t pixel) {
  return 0.299 * static_cast<double>(cells.at(0, pixel, 0)) +
         0.587 * static_cast<double>(cells.at(0, pixel, 1)) +
         0.114 * static_cast<double>(cells.at(0, pixel, 2));
}

// How far from grey the colours move, where nothing else does.
std::optional<double> saturation_fit(const ImageChange& change) {
  const Cells& b = change.before;
  if (b.channels < 3) return std::nullopt;
  double uu = 0, uv = 0;
  const auto each = [&](const auto& action) {
    for (int64_t i = 0; i < b.rows * b.columns; ++i)
      for (int64_t k = 0; k < 3; ++k)
        action(light(b, i), static_cast<double>(b.at(0, i, k)),
               static_cast<double>(change.after.at(0, i, k)));
  };
  each([&](double grey, double from, double to) {
    if (to <= 0 || to >= 255) return;
    uu += (from - grey) * (from - grey), uv += (from - grey) * (to - grey);
  });
  if (uu <= 0) return std::nullopt;
  const double a = uv / uu;
  double distance = 0, count = 0;
  each([&](double grey, double from, double to) {
    distance += std::abs(std::clamp(grey + a * (from - grey), 0.0, 255.0) - to), count += 1;
  });
  return is_close(distance / count, change) ? std::optional(a) : std::nullopt;
}

std::optional<Levels> levels_of(const ImageChange& change) {
  using Kind = Levels::Kind;
  if (const auto fit = affine_fit(change)) {
    const auto [a, b] = *fit;
    if (std::abs(a + 1) < 0.05 && std::abs(b - 255) < 8) return Levels{Kind::invert, 1};
    if (std::abs(a - 1) < 0.03) return Levels{Kind::add, b};
    if (std::abs(b) < kClearLevels) return Levels{Kind::times, a};
    const double fixed_point = b / (1 - a);
    if (a > 0 && fixed_point > 20 && fixed_point < 235) return Levels{Kind::contrast, a};
  }
  if (const auto saturation = saturation_fit(change)) return Levels{Kind::saturation, *saturation};
  return std::nullopt;
}

std::string percent(double share) { return fmt::format("about {:.0f}%", 100 * std::abs(share)); }

std::string levels_name(const Levels& levels) {
  using Kind = Levels::Kind;
  const double a = levels.amount;
  const auto change = [&](std::string_view of) {
    return fmt::format("{} {}, about {:.2g} times", a > 1 ? "more" : "less", of, a);
  };
  switch (levels.kind) {
    case Kind::invert:
      return "invert";
    case Kind::add:
      return fmt::format("{} by {}", a > 0 ? "brighter" : "darker", percent(a / 255));
    case Kind::times:
      return fmt::format("{}, about {:.2g} times as bright", a > 1 ? "brighter" : "darker", a);
    case Kind::contrast:
      return change("contrast");
    case Kind::saturation:
      return std::abs(a) < 0.05 ? "make grey" : change("colour");
  }
  return "";
}

// The kind of most changes, by its median amount.
std::string describe_levels(const std::vector<ImageChange>& changes, double share) {
  std::array<std::vector<double>, 5> amounts;
  for (const ImageChange& change : changes)
    if (const auto levels = levels_of(change))
      amounts[static_cast<size_t>(levels->kind)].push_back(levels->amount);
  const auto most = std::max_element(amounts.begin(), amounts.end(),
                                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto kind = static_cast<Levels::Kind>(most - amounts.begin());
  const double amount = median(*most);
  const double tolerance = kind == Levels::Kind::add ? std::max(3.0, 0.25 * std::abs(amount)) : 0.15;
  const auto held =
      std::count_if(most->begin(), most->end(), [&](double a) { return std::abs(a - amount) <= tolerance; });
  if (static_cast<double>(held) < share * static_cast<double>(changes.size())) return "";
  return levels_name({kind, amount});
}

// The mean difference between neighbours.
double roughness(const Cells& cells) {
  double sum = 0;
  for (int64_t r = 0; r + 1 < cells.rows; ++r)
    for (int64_t c = 0; c + 1 < cells.columns; ++c)
      for (int64_t k = 0; k < cells.channels; ++k)
        sum += static_cast<double>(std::abs(cells.at(r, c, k) - cells.at(r, c + 1, k)) +
                                   std::abs(cells.at(r, c, k) - cells.at(r + 1, c, k)));
  return sum;
}

double mean_level(const Cells& cells) {
  double sum = 0;
  for (int64_t value : cells.values) sum += static_cast<double>(value);
  return sum / static_cast<double>(cells.values.size());
}

double changed_share(const ImageChange& change) {
  constexpr int64_t kSeen = 8;
  const Cells& b = change.before;
  double changed = 0;
  for (int64_t i = 0; i < b.rows * b.columns; ++i) {
    bool seen = false;
    for (int64_t k = 0; k < b.channels; ++k)
      seen |= std::abs(b.at(0, i, k) - change.after.at(0, i, k)) > kSeen;
    changed += seen;
  }
  return changed / static_cast<double>(b.rows * b.columns);
}

// What statistics tell where no rule does.
std::string describe_roughly(const std::vector<ImageChange>& changes, double share) {
  std::vector<double> lighter, rougher, changed;
  for (const ImageChange& change : changes) {
    lighter.push_back(mean_level(change.after) - mean_level(change.before));
    rougher.push_back(roughness(change.after) / std::max(1.0, roughness(change.before)));
    changed.push_back(changed_share(change));
  }
  const auto mostly = [&](const std::vector<double>& values, auto&& holds) {
    return share_of(values, holds) >= share;
  };
  if (mostly(changed, [](double c) { return c > 0 && c < 0.5; }))
    return fmt::format("changes {} of the pixels", percent(median(changed)));
  if (mostly(lighter, [](double l) { return std::abs(l) < kClearLevels; })) {
    if (mostly(rougher, [](double r) { return r < 0.85; })) return "blur";
    if (mostly(rougher, [](double r) { return r > 1.15; })) return "sharpen";
  }
  if (mostly(lighter, [](double l) { return l > kClearLevels; }))
    return fmt::format("brighter by {}", percent(median(lighter) / 255));
  if (mostly(lighter, [](double l) { return l < -kClearLevels; }))
    return fmt::format("darker by {}", percent(median(lighter) / 255));
  return "";
}

}  // namespace

std::string ImageView::describe(const std::vector<Change>& changes, double share) const {
  std::vector<ImageChange> images;
  const size_t step = std::max<size_t>(1, changes.size() / kMostImages);
  for (size_t i = 0; i < changes.size(); i += step) {
    ImageChange change{cells_of(space(), changes[i].first), cells_of(space(), changes[i].second), 0};
    change.apart = mean_distance(change.before, change.after);
    images.push_back(std::move(change));
  }
  const auto is_same = [](const ImageChange& change) { return change.apart < 0.5; };
  if (images.empty() || share_of(images, is_same) >= share) return "";
  for (const auto& describe_by :
       {describe_image_move, describe_channels, describe_levels, describe_roughly}) {
    if (std::string words = describe_by(images, share); !words.empty()) return words;
  }
  return "";
}

}  // namespace neo
