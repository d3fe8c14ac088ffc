#include "data/h5.h"

#include <algorithm>
#include <cstring>

#include "core/text.h"

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
  H5L_info_t link;
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0 || H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0)
    return false;
  if (link.type != H5L_TYPE_HARD) refuse(parent, name, "is a link to elsewhere");
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

void check_storage(hid_t parent, hid_t dataset_id, const char* name) {
  const Handle options(H5Dget_create_plist(dataset_id), H5Pclose);
  const Handle type(H5Dget_type(dataset_id), H5Tclose);
  const Handle file(H5Iget_file_id(dataset_id), H5Fclose);
  hsize_t file_bytes = 0;
  if (!options.valid() || !type.valid() || !file.valid() || H5Fget_filesize(file, &file_bytes) < 0)
    refuse(parent, name, "is damaged");
  const H5D_layout_t layout = H5Pget_layout(options);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(options) > 0)
    refuse(parent, name, "keeps its data in other files");
  const size_t item = H5Tget_size(type);
  if (layout == H5D_CHUNKED) {
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    const int rank = H5Pget_chunk(options, static_cast<int>(chunk.size()), chunk.data());
    chunk.resize(static_cast<size_t>(std::max(rank, 0)));
    if (claimed_bytes({chunk.begin(), chunk.end()}, item) > static_cast<double>(kMostChunk))
      refuse(parent, name, "has too large chunks");
  }
  const hsize_t stored = H5Dget_storage_size(dataset_id);
  const double claimed = claimed_bytes(dimensions(dataset_id), item);
  if (stored > file_bytes || claimed > kBestCompression * static_cast<double>(stored))
    refuse(parent, name, "claims to hold more than the file does");
}

bool is_scalar(hid_t attribute) {
  Handle space(H5Aget_space(attribute), H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space) == 1;
}
}  // namespace

Handle dataset(hid_t parent, const char* name) {
  if (!exists(parent, name)) return {};
  Handle found(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose);
  if (found.valid()) check_storage(parent, found, name);
  return found;
}

Handle group(hid_t parent, const char* name) {
  if (!exists(parent, name)) return {};
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose};
}

Handle open_file(const std::filesystem::path& path) {
  H5PLset_loading_state(0);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
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
