#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace neo {

// A picture of up to 128x128 pixels.
struct Picture {
  int64_t width, height;
  int64_t channels;             // 1 grey, 3 RGB, 4 RGBA
  std::vector<uint8_t> pixels;  // [height, width, channels]
  std::string converted;        // conversions made, "greyscale made RGB, ..."; empty if none
};

// As many channels as the file has, unless the caller asks for 1, 3 or 4. Palettes, 16-bit samples, grey that
// is asked for as colour and an alpha channel without effect are converted: nothing that a viewer would show
// is lost. Anything else throws an Error that names the file and the remedy. The size is checked before a
// pixel is decoded, so a PNG that claims to be huge costs no memory.
Picture read_png(const std::filesystem::path& path, std::optional<int64_t> channels = {});

}  // namespace neo
