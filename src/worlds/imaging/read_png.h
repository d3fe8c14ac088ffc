#pragma once

#include <filesystem>
#include <string>

#include "worlds/world.h"

namespace neo {

// A user's picture as an observation of the Imaging world.
struct PngReading {
  Observation image;      // 32x32x3, row-major RGB
  std::string converted;  // what had to be changed on the way, "greyscale made RGB, ..."; empty if nothing
};

// Greyscale, palettes, 16-bit samples and an alpha channel without effect are converted: nothing that a
// viewer would show is lost. Anything else throws an Error that names the file and the remedy. The size is
// checked before a pixel is decoded, so a PNG that claims to be huge costs no memory.
PngReading read_png(const std::filesystem::path& path);

}  // namespace neo
