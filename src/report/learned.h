#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace neo {

// What `neo learn` left in the given run folders, or in folders of them: learned.json under the folder's name, without
// paths, and a few of the pairs that the theory was judged on. Folders without it are passed over; an Error names a
// learned.json that is none.
std::vector<nlohmann::json> collect_learned(const std::vector<std::filesystem::path>& places);

}  // namespace neo
