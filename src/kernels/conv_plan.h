#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/tile.h"

namespace neo {

// One direction of a layer, ready to run: steps in order, each a tile. A plain plan has a step for every
// target pixel, with the taps that reach it (those that would fall outside the image do not exist, so no
// product with padding is ever formed). A plan of fewer products (kernels/minimal_filter.h) also reads sums
// and differences of source pixels, and keeps partial results in slots that later steps add to theirs.
struct ConvPlan {
  struct Step {
    int32_t tap_begin, tap_end;
    int32_t target;                          // pixel; below 0: slot -1 - target
    std::array<int32_t, 2> addends{-1, -1};  // slots; -1: none
  };
  // A sum of source pixels: plus[0], or plus[0] - minus[0], or both with plus[1] - minus[1].
  struct Input {
    int32_t terms = 1;
    std::array<int32_t, 2> plus{}, minus{};
  };

  int64_t source_channels = 0, source_size = 0;  // floats per image
  int64_t target_channels = 0, target_size = 0;
  std::vector<Input> inputs;  // what the taps read; empty: the source's pixels themselves
  std::vector<Tap> taps;
  std::vector<Step> steps;
  int64_t slots = 0;
  std::vector<float> panels;  // [target channels / 16][weight][source channel][16]
  std::vector<float> bias;    // [target channels, rounded up to 16]; may be empty
  int64_t panel_size = 0;
  // The same weights as pairs of channels in bfloat16, where its products may be rounded; else empty.
  std::vector<Tap> rounded_taps;
  std::vector<float> rounded_panels;

  int64_t products() const;  // per image
};

// A matrix [source, target] as a plan of one pixel, and how far its neighbours down and to the right lie apart.
struct MatrixShape {
  int64_t source, target, down, right;
};
ConvPlan dense_plan(const float* matrix, const MatrixShape& shape);

// From now on, under Precision::bf16 the plan's products are rounded. Plans of odd channels stay as they are.
void allow_rounding(ConvPlan& plan);

// What happens to the results before they are stored; see Tile.
struct ConvBits {
  bool relu = false;
  uint16_t* positive = nullptr;
  const uint16_t* keep = nullptr;
  int64_t stride = 0;  // words between images
};

void run_plan(const ConvPlan& plan, const float* source, float* target, int64_t images,
              const ConvBits& bits = {});

}  // namespace neo
