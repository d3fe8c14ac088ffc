#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/raw_pair.h"

namespace neo {

// A table with a header: columns x and y (texts or numbers), or x1..xn and y1..yn (vectors); optionally
// program, and `group` or the column of that name. Other columns are ignored.
std::unique_ptr<PairSource> open_csv(const std::filesystem::path& path, const std::string& group);

}  // namespace neo
