#pragma once

#include <hdf5.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

// The thin layer over HDF5's C interface that two readers and one writer need. The C++ interface of HDF5 is
// not used: its exceptions carry no file name, and it prints to stderr by default.
namespace neo::h5 {

// Owns one HDF5 identifier of any kind.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }
  operator hid_t() const { return id_; }  // NOLINT: it stands for the identifier in every call
  bool valid() const { return id_ >= 0; }
  herr_t reset() {
    const hid_t id = std::exchange(id_, -1);
    return id >= 0 ? close_(id) : 0;
  }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// A dataset or group by its name, no path; invalid where there is none. Files may come from anywhere: an
// Error refuses links to elsewhere, data kept in other files, and shapes that claim more than the file can
// hold.
bool is_plain_link(hid_t parent, const char* name);  // within the file
bool is_within_file(hid_t dataset);                  // its data, and no more than the file can hold
Handle dataset(hid_t parent, const char* name);
Handle group(hid_t parent, const char* name);

inline std::vector<int64_t> dimensions(hid_t dataset_id) {
  Handle space(H5Dget_space(dataset_id), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 0) return {};
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

inline H5T_class_t element_class(hid_t dataset_id) {
  Handle type(H5Dget_type(dataset_id), H5Tclose);
  return type.valid() ? H5Tget_class(type) : H5T_NO_CLASS;
}
inline bool is_integer(hid_t dataset_id) { return element_class(dataset_id) == H5T_INTEGER; }

// Neither groups nor files record when they were made: the same content gives the same bytes.
Handle create_group(hid_t parent, const char* name);

// To read; invalid where it is no regular HDF5 file. Filters that are not part of HDF5 are never loaded. Before this
// process opens a file for the first time, a child process reads all of it: an Error where libhdf5 does not survive that.
Handle open_file(const std::filesystem::path& path);
// Whether `holds` does; asked once per process for a file, as long as that does not change.
bool verify_once(const std::filesystem::path& path, const std::function<bool()>& holds);
// For fuzzing, which wants to see such faults.
void open_without_child();
// Empty, written with checksummed metadata.
Handle create_file(const std::filesystem::path& path);

// Extensible along its first dimension, compressed and checksummed: a flipped bit on disk is an error when
// read, never a wrong value. `chunk`: what lies together on disk.
Handle create_stream(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& chunk,
                     unsigned deflate);
// `block`: how many rows, then the shape of one. False where the disk or the file fails.
bool append_rows(hid_t dataset, hid_t memory_type, int64_t at, const std::vector<hsize_t>& block,
                 const void* data);
bool read_rows(hid_t dataset, hid_t memory_type, int64_t begin, const std::vector<hsize_t>& block,
               void* data);

// A text attribute of fixed or variable length; false when it is absent, no text, or longer than 1 MiB.
bool read_text(hid_t object, const char* name, std::string& text);
void write_text(hid_t object, const char* name, const std::string& text);
bool read_number(hid_t object, const char* name, double& value);
void write_number(hid_t object, const char* name, double value);

}  // namespace neo::h5
