#pragma once

#include <filesystem>
#include <memory>

#include "data/raw_pair.h"

namespace neo {

bool is_pair_file(const std::filesystem::path& path);  // one that PairWriter wrote

// The pairs of one of our own files, both parts, or of the official release; its space is known.
std::unique_ptr<PairSource> open_pair_file(const std::filesystem::path& path);

}  // namespace neo
