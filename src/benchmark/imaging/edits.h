#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace neo {

// The eight edits of the Imaging benchmark, sorted by name: the order in which programs are enumerated.
enum class Edit {
  kBrightnessMinus,  // x0.5
  kBrightnessPlus,   // x1.5, clipped
  kHorizontalFlip,   // left-right
  kHueMinus,         // hue -0.3 of a turn
  kHuePlus,          // hue +0.3 of a turn
  kMasking,          // grey 128 on the top-left quarter
  kRotation,         // 90 degrees counter-clockwise (the paper's text says clockwise; its data are not)
  kVerticalFlip,     // top-bottom
};
inline constexpr int kEdits = 8;

const std::vector<std::string>& edit_names();

// Writes the edited copy of `in` to `out`. Both are height x width x 3 bytes, row-major RGB, and may not
// overlap; rotation needs a square image. Byte for byte what torchvision's functional transforms give on an
// 8-bit Pillow image.
void apply_edit(Edit edit, std::span<const uint8_t> in, std::span<uint8_t> out, int height = 32,
                int width = 32);

}  // namespace neo
