#pragma once

#include <array>
#include <utility>

#include "benchmark/benchmark.h"

namespace neo {

// A grid with one object; a primitive moves it by one cell.
const Benchmark& gridworld();

constexpr int kGridSide = 10;
constexpr int kGridColours = 8;  // besides the background, 0

// Primitive indices; the names are move_up, move_right, move_down, move_left.
enum Move { kUp = 0, kRight = 1, kDown = 2, kLeft = 3 };
constexpr std::array<std::pair<int, int>, 4> kMoveStep{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};  // (dy, dx)

}  // namespace neo
