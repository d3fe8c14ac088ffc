#pragma once

#include "model/testing.h"
#include "rollout/rollout.h"

namespace neo {

// A hand-made theory of grids: the local executor's taps are set so that code z moves by one cell.
inline Neo true_theory() { return testing::grid_theory(); }

// The results of programs on x.
inline torch::Tensor ends_of(NeoImpl& model, const torch::Tensor& x, const Programs& programs) {
  return run_programs(model, x, {}, programs, {}).ends(programs.lengths);
}

inline torch::Tensor grid_with(int64_t y, int64_t x) {
  auto grid = torch::zeros({1, 100}, torch::kUInt8);
  grid[0][y * 10 + x] = 3;
  grid[0][y * 10 + x + 1] = 3;
  return grid;
}

}  // namespace neo
