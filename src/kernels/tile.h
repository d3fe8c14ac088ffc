#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace neo {

constexpr int kTileColumns = 16;  // output channels of a panel
// Panels of so many that hold `channels`.
inline int64_t panels_of(int64_t channels) { return (channels + kTileColumns - 1) / kTileColumns; }

// One term of a convolution's sum: where the input pixel starts within an image, and where the weights that
// meet it start within a packed panel (both in floats).
struct Tap {
  int32_t input;
  int32_t weight;
};

// A few panels' channels of one output pixel, for many images at once:
//   output[image][c] = sum over taps t, channels k of
//     input[image][t.input + channel_stride k] * panel[c / 16 panel_stride + t.weight + 16 k + c % 16]
// Every image's sum runs in the same order, so a result never depends on the batch it was computed in.
struct Tile {
  const float* input;  // [images, input_stride]
  int64_t input_stride;
  std::span<const Tap> taps;
  int64_t channels;                       // k
  int64_t channel_stride = 1;             // between an image's channels
  const float* panel;                     // [panel][tap][channel][16], zero where a channel does not exist
  int64_t panel_stride = 0;               // between panels
  const float* bias = nullptr;            // [panels, 16]; none: zero
  std::array<const float*, 2> addends{};  // [images, addend_stride], added like the bias; none: zero
  int64_t addend_stride = kTileColumns;   // of whole panels
  float* output = nullptr;                // [images, output_stride]
  int64_t output_stride = 0;
  int64_t columns;  // channels to store
  bool relu = false;
  uint16_t* positive = nullptr;    // write, for each panel: bit c is set where the channel's result is > 0
  const uint16_t* keep = nullptr;  // read: channels whose bit is clear become 0 (the ReLU's gradient)
  int64_t bits_stride = 0;         // between the bits of neighbouring images
};

// On the instructions in use (kernels/instructions.h). Panels are computed tile_columns() at a time, each
// group as if it were alone.
void run_tile(const Tile& tile, int64_t images);
int64_t tile_columns();

}  // namespace neo
