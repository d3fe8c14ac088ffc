#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/byte_stream.h"

namespace neo {

// The names of the arrays in a .npz, without ".npy". An Error where it is no archive, or cut short.
std::vector<std::string> npz_names(const std::filesystem::path& path);

// The array `name` of the archive, decompressed as it is read. Sizes that the archive cannot hold and
// compression that no array of data reaches (zip bombs) are refused before anything is read.
std::unique_ptr<ByteStream> open_npz_array(const std::filesystem::path& path, const std::string& name);

}  // namespace neo
