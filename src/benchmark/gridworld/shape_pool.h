#pragma once

#include <utility>
#include <vector>

namespace neo {

using Cell = std::pair<int, int>;  // (y, x), moved to the origin
using Shape = std::vector<Cell>;   // sorted

// The 1,000 shapes that every GridWorld data set of the benchmark draws from, sorted by (size, cells).
const std::vector<Shape>& shape_pool();

}  // namespace neo
