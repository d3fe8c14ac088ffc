#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/raw_pair.h"

namespace neo {

// JSON and JSON lines: records {"x": ..., "y": ..., "group"?: ..., "program"?: ...} one after the other, a
// list of them, an object of lists {"x": [...], "y": [...]}, a task {"train": [{"input": ..., "output": ...},
// ...], "test": [...]} or an object of such tasks. Pairs of a task share a group. `group`: the key that names
// groups. Depth, texts and observations are bounded, so that no file can exhaust memory.
std::unique_ptr<PairSource> open_json(const std::filesystem::path& path, const std::string& group);

}  // namespace neo
