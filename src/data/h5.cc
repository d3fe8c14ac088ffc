#include "data/h5.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "core/isolated.h"
#include "core/text.h"
#include "data/h5_walk.h"

namespace neo::h5 {
namespace {
constexpr size_t kLongestText = size_t{1} << 20;

// A file that could not be closed, on a full disk, stays open within HDF5, whose handler at exit then
// crashes. Handles close everything else. Must come before any other call.
[[maybe_unused]] const herr_t kWithoutExitHandler = H5dont_atexit();

Handle open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
}

std::string file_name(hid_t object) {
  std::string name(4096, '\0');
  const ssize_t length = H5Fget_name(object, name.data(), name.size());
  name.resize(static_cast<size_t>(std::clamp<ssize_t>(length, 0, static_cast<ssize_t>(name.size()) - 1)));
  return name;
}

[[noreturn]] void refuse(hid_t parent, const char* name, const char* why) {
  fail("cannot read {}: '{}' {}; copy the data into one plain file", file_name(parent), printable(name), why);
}

bool exists(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) return false;
  if (!is_plain_link(parent, name)) refuse(parent, name, "is a link to elsewhere");
  return true;
}

constexpr hsize_t kMostChunk = hsize_t{1} << 28;  // bytes that HDF5 unpacks at a time
constexpr double kBestCompression = 1040;         // deflate cannot do better

// In doubles: claims may overflow anything else.
double claimed_bytes(const std::vector<int64_t>& dims, size_t item) {
  double bytes = static_cast<double>(item);
  for (int64_t size : dims) bytes *= static_cast<double>(static_cast<hsize_t>(size));
  return bytes;
}

// Why a dataset's data must not be read; null: they may be.
const char* storage_fault(hid_t dataset_id) {
  const Handle options(H5Dget_create_plist(dataset_id), H5Pclose);
  const Handle type(H5Dget_type(dataset_id), H5Tclose);
  const Handle file(H5Iget_file_id(dataset_id), H5Fclose);
  hsize_t file_bytes = 0;
  if (!options.valid() || !type.valid() || !file.valid() || H5Fget_filesize(file, &file_bytes) < 0)
    return "is damaged";
  const H5D_layout_t layout = H5Pget_layout(options);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(options) > 0) return "keeps its data in other files";
  const size_t item = H5Tget_size(type);
  if (layout == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    const int rank = H5Pget_chunk(options, static_cast<int>(chunk.size()), chunk.data());
    chunk.resize(static_cast<size_t>(std::max(rank, 0)));
    if (claimed_bytes({chunk.begin(), chunk.end()}, item) > static_cast<double>(kMostChunk))
      return "has too large chunks";
  }
  const hsize_t stored = H5Dget_storage_size(dataset_id);
  const double claimed = claimed_bytes(dimensions(dataset_id), item);
  if (stored > file_bytes || claimed > kBestCompression * static_cast<double>(stored))
    return "claims to hold more than the file does";
  return nullptr;
}

bool is_scalar(hid_t attribute) {
  Handle space(H5Aget_space(attribute), H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space) == 1;
}
}  // namespace

bool is_plain_link(hid_t parent, const char* name) {
  H5L_info_t link;
  return H5Lget_info(parent, name, &link, H5P_DEFAULT) >= 0 && link.type == H5L_TYPE_HARD;
}

bool is_within_file(hid_t dataset) { return storage_fault(dataset) == nullptr; }

Handle dataset(hid_t parent, const char* name) {
  if (!exists(parent, name)) return {};
  Handle found(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose);
  if (!found.valid()) return found;
  if (const char* fault = storage_fault(found)) refuse(parent, name, fault);
  return found;
}

Handle group(hid_t parent, const char* name) {
  if (!exists(parent, name)) return {};
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose};
}

namespace {

bool g_uses_child = true;
constexpr int64_t kLeastSeconds = 10, kBytesPerSecond = 5'000'000;  // that a child may take to read a file

// Changes whenever a file is written again.
using Identity = std::tuple<dev_t, ino_t, off_t, time_t, long>;

std::optional<Identity> identity_of(const std::filesystem::path& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  return Identity{about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
}

// What holds for a file is asked once, until it changes.
class OncePerFile {
 public:
  bool holds(const std::filesystem::path& path, const std::function<bool()>& check) {
    const std::lock_guard lock(mutex_);
    const auto identity = identity_of(path);
    if (identity && known_.contains(*identity)) return true;
    if (!check()) return false;
    if (identity) known_.insert(*identity);
    return true;
  }

 private:
  std::mutex mutex_;
  std::set<Identity> known_;
};

// The signature stands at the beginning, or after a block of the user's whose size is a power of two.
bool has_signature(const std::filesystem::path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  constexpr std::streamoff kLastPlace = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  for (std::streamoff at = 0; at <= kLastPlace; at = at == 0 ? 512 : 2 * at) {
    char found[kSignature.size()];
    if (!file.seekg(at).read(found, sizeof found)) return false;
    if (std::string_view(found, sizeof found) == kSignature) return true;
  }
  return false;
}

Handle open_here(const std::filesystem::path& path) {
  H5PLset_loading_state(0);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
}

}  // namespace

void open_without_child() { g_uses_child = false; }

bool verify_once(const std::filesystem::path& path, const std::function<bool()>& holds) {
  static OncePerFile once;
  return once.holds(path, holds);
}

Handle open_file(const std::filesystem::path& path) {
  static OncePerFile once;
  if (!identity_of(path) || !has_signature(path)) return {};
  const auto survives = [&] {
    const auto read_all = [&] {
      H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
      if (const Handle file = open_here(path); file.valid()) read_everything(file);
    };
    // Damage may also send libhdf5 in circles; intact files are read at a hundred times this speed.
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(path));
    run_isolated(read_all,
                 fmt::format("cannot read {}: it is damaged in a way that libhdf5 does not survive; get or make it again",
                             path.string()),
                 {.seconds = kLeastSeconds + bytes / kBytesPerSecond});
    return true;
  };
  if (g_uses_child) once.holds(path, survives);
  return open_here(path);
}

Handle create_file(const std::filesystem::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);  // metadata with checksums
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose};
}

Handle create_group(hid_t parent, const char* name) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  return {H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose};
}

Handle create_stream(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& chunk,
                     unsigned deflate) {
  std::vector<hsize_t> now = chunk;
  std::vector<hsize_t> most = chunk;
  now[0] = 0;
  most[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(chunk.size()), now.data(), most.data()), H5Sclose);
  const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(options, static_cast<int>(chunk.size()), chunk.data());
  if (deflate > 0) H5Pset_deflate(options, deflate);
  H5Pset_fletcher32(options);
  H5Pset_obj_track_times(options, false);  // the same content gives the same bytes
  return {H5Dcreate2(parent, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose};
}

namespace {

// Rows [at, at + block[0]) of a dataset, and as much memory.
struct Selection {
  Handle file, memory;
};

Selection select_rows(hid_t dataset, int64_t at, const std::vector<hsize_t>& block) {
  Selection selection{{H5Dget_space(dataset), H5Sclose},
                      {H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose}};
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = static_cast<hsize_t>(at);
  H5Sselect_hyperslab(selection.file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
  return selection;
}

}  // namespace

bool append_rows(hid_t dataset, hid_t memory_type, int64_t at, const std::vector<hsize_t>& block,
                 const void* data) {
  std::vector<hsize_t> total = block;
  total[0] += static_cast<hsize_t>(at);
  if (H5Dset_extent(dataset, total.data()) < 0) return false;
  const Selection rows = select_rows(dataset, at, block);
  return H5Dwrite(dataset, memory_type, rows.memory, rows.file, H5P_DEFAULT, data) >= 0;
}

bool read_rows(hid_t dataset, hid_t memory_type, int64_t begin, const std::vector<hsize_t>& block,
               void* data) {
  const Selection rows = select_rows(dataset, begin, block);
  return H5Dread(dataset, memory_type, rows.memory, rows.file, H5P_DEFAULT, data) >= 0;
}

bool read_text(hid_t object, const char* name, std::string& text) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.valid() || !is_scalar(attribute)) return false;
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (!type.valid() || H5Tget_class(type) != H5T_STRING) return false;
  if (H5Tis_variable_str(type) > 0) {
    char* raw = nullptr;
    if (H5Aread(attribute, type, &raw) < 0 || raw == nullptr) return false;
    text.assign(raw, strnlen(raw, kLongestText));
    H5free_memory(raw);
    return true;
  }
  const size_t size = H5Tget_size(type);
  if (size == 0 || size > kLongestText) return false;
  std::string raw(size, '\0');
  if (H5Aread(attribute, type, raw.data()) < 0) return false;
  text = raw.substr(0, raw.find('\0'));
  return true;
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute, type, text.c_str()) < 0) {
    fail("cannot write the attribute '{}': free some disk space and try again", name);
  }
}

bool read_number(hid_t object, const char* name, double& value) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.valid() || !is_scalar(attribute)) return false;
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const auto kind = type.valid() ? H5Tget_class(type) : H5T_NO_CLASS;
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) return false;
  return H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
}

void write_number(hid_t object, const char* name, double value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0) {
    fail("cannot write the attribute '{}': free some disk space and try again", name);
  }
}

}  // namespace neo::h5
