#pragma once

#include <cstdint>
#include <span>

namespace neo {

// The local executor of model/executor.h without gradient, for many actions on many grids at once: every cell
// mixes itself with its neighbours and passes through a two-layer FiLM network of its own. In LibTorch the
// shifted copies and the hidden layer go through memory; here a cell never leaves the registers.
constexpr int64_t kLocalWidth = 8;    // D: one AVX register
constexpr int64_t kLocalHidden = 16;  // hidden units: two

// Where a neighbour is, in rows and columns from the cell.
struct Neighbour {
  int64_t down = 0, right = 0;
};

struct LocalRule {
  int64_t rows = 0, columns = 0;          // of the grid
  std::span<const Neighbour> neighbours;  // at most one cell away
  const float* outside = nullptr;         // [D] what lies beyond the border
  const float* in_weight = nullptr;       // [hidden, D]
  const float* in_bias = nullptr;         // [hidden]
  const float* out_weight = nullptr;      // [D, hidden]
  const float* out_bias = nullptr;        // [D]
  // per action
  const float* taps = nullptr;   // [actions, neighbours] softmax weights
  const float* gamma = nullptr;  // [actions, hidden]
  const float* beta = nullptr;   // [actions, hidden]
};

bool has_local_rule();  // this processor has AVX2 and FMA

// Action `action[i]` on grid `grid[i]`: states [grids, rows, columns, D] -> out [pairs, rows, columns, D].
void run_local_rule(const LocalRule& rule, const float* states, const int64_t* grid, const int64_t* action,
                    int64_t pairs, float* out);

}  // namespace neo
