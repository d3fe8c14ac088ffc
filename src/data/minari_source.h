#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/raw_pair.h"
#include "data/trajectory.h"

namespace neo {

bool is_minari_file(const std::filesystem::path& path);  // an HDF5 file with a group episode_N

// Episodes recorded in reinforcement learning: groups episode_N with `observations` [steps + 1, ...], an
// array or a group of them, of which `field`, or else the largest that fits, is read. Integer `actions`
// [steps] become the programs of pairs; others are ignored.
std::unique_ptr<PairSource> open_minari(const std::filesystem::path& path, const std::string& field,
                                        const Lags& lags);

}  // namespace neo
