#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

// The thin layer over HDF5's C interface that two readers and one writer need. The C++ interface of HDF5 was
// not taken: its exceptions carry no file name, and it prints to stderr by default.
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

inline Handle dataset(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) return {};
  return {H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose};
}

inline std::vector<int64_t> dimensions(hid_t dataset_id) {
  Handle space(H5Dget_space(dataset_id), H5Sclose);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank < 0) return {};
  std::vector<hsize_t> dims(static_cast<size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

inline bool is_integer(hid_t dataset_id) {
  Handle type(H5Dget_type(dataset_id), H5Tclose);
  return type.valid() && H5Tget_class(type) == H5T_INTEGER;
}

// A text attribute of fixed or variable length; false when it is absent, no text, or longer than 1 MiB.
bool read_text(hid_t object, const char* name, std::string& text);
void write_text(hid_t object, const char* name, const std::string& text);
bool read_number(hid_t object, const char* name, double& value);
void write_number(hid_t object, const char* name, double value);

}  // namespace neo::h5
