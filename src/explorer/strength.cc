#include "explorer/strength.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace neo {
namespace {

// About as well: a difference that a few samples do not settle.
constexpr double kRatio = 1.25, kMargin = 0.005;

}  // namespace

std::vector<size_t> strongest_first(const std::vector<Strength>& theories) {
  std::map<std::string, size_t> first;  // place of each world
  std::map<std::string, double> best;
  for (size_t i = 0; i < theories.size(); ++i) {
    const auto& [world, alpha, error] = theories[i];
    first.emplace(world, i);
    best[world] = std::min(best.emplace(world, error).first->second, error);
  }
  const auto key = [&](size_t i) {
    const auto& [world, alpha, error] = theories[i];
    if (world.empty()) return std::tuple(i, 0.0, 0.0);
    const bool weaker = error > kRatio * best[world] + kMargin;
    return std::tuple(first[world], weaker ? error : -1.0, alpha);
  };
  std::vector<size_t> order(theories.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, key);
  return order;
}

}  // namespace neo
