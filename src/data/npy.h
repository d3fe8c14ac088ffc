#pragma once

#include <filesystem>

#include "data/array.h"

namespace neo {

// A NumPy array of numbers that is one observation. Objects (pickles), records and text are refused, never
// interpreted. An Error names the file and the remedy; nothing is allocated that the file does not hold.
Array read_npy(const std::filesystem::path& path);

}  // namespace neo
