#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "worlds/generate.h"

namespace neo {

// Where data go by default: data/<world>-alpha<A>, or data/<world>-<profile> for profiles other than otib.
std::filesystem::path data_folder(const DataRequest& request);

// Makes every split of a request as <folder>/<split>.h5, with a progress bar each; tells of every finished file.
void make_data(const DataRequest& request, const std::filesystem::path& folder,
               const std::function<void(const std::filesystem::path&, const EpisodeFileInfo&)>& finished);

}  // namespace neo
