#include "benchmark/gridworld/shape_pool.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>

#include "benchmark/gridworld/gridworld.h"
#include "core/rng.h"

namespace neo {
namespace {

constexpr uint32_t kSeed = 1127;
constexpr size_t kShapes = 1000;
constexpr int kLeastCells = 6;
constexpr int kMostCells = 20;
constexpr int kTriesPerShape = 100;
constexpr double kDiagonalShare = 0.5;

// Grows a blob from a random cell, first in first out. The order of draws is the benchmark's: one NumPy draw
// for the diagonals, a Python shuffle of the neighbours, and one Python draw per neighbour that changes
// nothing (every neighbour is kept) but must be consumed.
std::optional<Shape> grow_shape(PythonRandom& python, NumpyRandom& numpy) {
  const auto start = static_cast<int>(python.below(kGridSide * kGridSide));
  const auto budget = static_cast<size_t>(python.randint(kLeastCells, kMostCells));
  std::array<bool, kGridSide * kGridSide> visited{};
  std::deque<Cell> queue{{start / kGridSide, start % kGridSide}};
  Shape cells;
  while (!queue.empty() && cells.size() < budget) {
    const auto [y, x] = queue.front();
    queue.pop_front();
    if (y < 0 || y >= kGridSide || x < 0 || x >= kGridSide) continue;
    bool& seen = visited[static_cast<size_t>(y * kGridSide + x)];
    if (seen) continue;
    seen = true;
    cells.emplace_back(y, x);
    std::vector<Cell> neighbours{{y - 1, x}, {y + 1, x}, {y, x - 1}, {y, x + 1}};
    if (numpy.random_sample() < kDiagonalShare) {
      for (const Cell& diagonal : {Cell{y - 1, x - 1}, {y - 1, x + 1}, {y + 1, x - 1}, {y + 1, x + 1}}) {
        neighbours.push_back(diagonal);
      }
    }
    python.shuffle(neighbours);
    for (const Cell& neighbour : neighbours) {
      python.random();
      queue.push_back(neighbour);
    }
  }
  if (cells.size() < kLeastCells) return std::nullopt;
  int top = kGridSide;
  int left = kGridSide;
  for (const auto& [y, x] : cells) {
    top = std::min(top, y);
    left = std::min(left, x);
  }
  for (auto& [y, x] : cells) {
    y -= top;
    x -= left;
  }
  std::sort(cells.begin(), cells.end());
  return cells;
}

// Each cell touches at least two others by a side.
bool well_connected(const Shape& shape) {
  const std::set<Cell> cells(shape.begin(), shape.end());
  return std::all_of(shape.begin(), shape.end(), [&](const Cell& cell) {
    const auto [y, x] = cell;
    return cells.count({y - 1, x}) + cells.count({y + 1, x}) + cells.count({y, x - 1}) +
               cells.count({y, x + 1}) >=
           2;
  });
}

std::vector<Shape> make_shape_pool() {
  PythonRandom python(kSeed);
  NumpyRandom numpy(kSeed);
  std::set<Shape> unique;
  while (unique.size() < kShapes) {
    for (int attempt = 0; attempt < kTriesPerShape; ++attempt) {
      const auto shape = grow_shape(python, numpy);
      if (!shape || unique.count(*shape) > 0 || !well_connected(*shape)) continue;
      unique.insert(*shape);
      break;
    }
  }
  std::vector<Shape> shapes(unique.begin(), unique.end());  // sorted by cells already
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const Shape& a, const Shape& b) { return a.size() < b.size(); });
  return shapes;
}

}  // namespace

const std::vector<Shape>& shape_pool() {
  static const std::vector<Shape> shapes = make_shape_pool();
  return shapes;
}

}  // namespace neo
