#include "data/open_source.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/array_source.h"
#include "data/csv_source.h"
#include "data/json_source.h"
#include "data/minari_source.h"
#include "data/pair_file_source.h"
#include "data/picture_source.h"

namespace neo {
namespace {
namespace fs = std::filesystem;

constexpr const char* kFormats =
    ".npz, two .npy, .json, .jsonl, .csv, .h5 or .hdf5, or a folder of such files or of pictures";

std::string extension_of(const fs::path& path) { return lowercase(path.extension().string()); }

bool is_data_extension(const std::string& extension) {
  static const std::set<std::string> kKnown{".npz", ".json", ".jsonl", ".ndjson",
                                            ".csv", ".tsv",  ".h5",    ".hdf5"};
  return kKnown.contains(extension);
}

bool is_hdf5(const std::string& extension) { return extension == ".h5" || extension == ".hdf5"; }

std::unique_ptr<PairSource> open_file_source(const fs::path& path, const SourceOptions& options) {
  const std::string extension = extension_of(path);
  if (!options.field.empty() && extension != ".npz" && !is_hdf5(extension))
    fail_usage("--field chooses arrays of .npz and HDF5 files; {} has none", path.string());
  if (extension == ".npz") return open_npz(path, {options.group, options.field, options.lags});
  if (extension == ".json" || extension == ".jsonl" || extension == ".ndjson")
    return open_json(path, options.group);
  if (extension == ".csv" || extension == ".tsv") return open_csv(path, options.group);
  if (is_hdf5(extension)) {
    if (is_minari_file(path)) return open_minari(path, options.field, options.lags);
    return open_pair_file(path);
  }
  if (extension == ".npy") fail("{} is one .npy file; name two, x and then y", path.string());
  if (extension == ".png")
    fail("{} is one picture; name the folder that holds before/ and after/, or numbered frames",
         path.string());
  if (extension == ".pkl" || extension == ".pickle" || extension == ".pt")
    fail("{} is a pickle, which is never opened; save arrays with np.savez", path.string());
  fail("{} is of no known format; expected {}", path.string(), kFormats);
}

// All files of the one known format in it.
std::vector<fs::path> data_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::set<std::string> extensions;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string extension = extension_of(entry.path());
    if (!entry.is_regular_file() || !is_data_extension(extension)) continue;
    files.push_back(entry.path());
    extensions.insert(extension);
  }
  if (extensions.size() > 1)
    fail("{} holds files of several formats ({}); name the ones to import", folder.string(),
         fmt::join(extensions, ", "));
  std::ranges::sort(files);
  return files;
}

void open_folder(const fs::path& folder, const SourceOptions& options,
                 std::vector<std::unique_ptr<PairSource>>& sources) {
  for (const fs::path& minari : {folder / "data" / "main_data.hdf5", folder / "main_data.hdf5"}) {
    if (!fs::is_regular_file(minari)) continue;
    sources.push_back(open_file_source(minari, options));
    return;
  }
  if (is_picture_folder(folder)) {
    sources.push_back(open_pictures(folder, options.lags));
    return;
  }
  const auto files = data_files(folder);
  if (files.empty()) fail("{} holds nothing to import; expected {}", folder.string(), kFormats);
  for (const fs::path& file : files) sources.push_back(open_file_source(file, options));
}

}  // namespace

std::vector<std::unique_ptr<PairSource>> open_sources(const std::vector<fs::path>& paths,
                                                      const SourceOptions& options) {
  if (paths.empty()) fail_usage("name at least one source: {}", kFormats);
  std::vector<std::unique_ptr<PairSource>> sources;
  for (const fs::path& path : paths) {
    if (!fs::exists(path)) fail("{} does not exist; check the path", path.string());
    if (!fs::is_regular_file(path) && !fs::is_directory(path))
      fail("{} is a device or a pipe, and sources are read twice; save it as a file first", path.string());
  }
  if (paths.size() == 2 && extension_of(paths[0]) == ".npy" && extension_of(paths[1]) == ".npy") {
    if (!options.group.empty() || !options.field.empty())
      fail_usage("--group and --field need a .npz, not two .npy files");
    sources.push_back(open_npy_pair(paths[0], paths[1]));
    return sources;
  }
  for (const fs::path& path : paths) {
    if (fs::is_directory(path))
      open_folder(path, options, sources);
    else
      sources.push_back(open_file_source(path, options));
  }
  return sources;
}

}  // namespace neo
