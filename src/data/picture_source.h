#pragma once

#include <filesystem>
#include <memory>

#include "data/raw_pair.h"
#include "data/trajectory.h"

namespace neo {

// Whether a folder holds pictures in one of the two forms below.
bool is_picture_folder(const std::filesystem::path& folder);

// before/NAME.png with after/NAME.png: pairs. Otherwise numbered frames (frame_0001.png, ...): a trajectory,
// or one in each sub-folder; a missing number begins a new one.
std::unique_ptr<PairSource> open_pictures(const std::filesystem::path& folder, const Lags& lags);

}  // namespace neo
