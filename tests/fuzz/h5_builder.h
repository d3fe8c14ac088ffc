#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "data/h5.h"

// Builds HDF5 files whose datasets, types, shapes and attributes the input chooses. The HDF5 library itself
// is not the target (it has bugs of its own that random bytes would find); what is tested is everything our
// readers take from a well-formed file. Input bytes of zero choose what a right file has.
class H5Builder {
 public:
  using Handle = neo::h5::Handle;
  using Dims = std::vector<hsize_t>;

  explicit H5Builder(FuzzedDataProvider& choices) : choices_(choices) {}

 protected:
  void create(const std::string& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, /*increment=*/1 << 16, /*backing_store=*/true);
    file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  }
  void close(const std::string& path) {
    file_.reset();
    if (odd()) truncate(path);
  }

  bool odd() { return choices_.ConsumeIntegralInRange(0, 15) == 15; }  // deviate here from a right file?

  hsize_t huge() {
    return choices_.PickValueInArray<hsize_t>({0, 255, 1u << 20, hsize_t{1} << 32, hsize_t{1} << 40,
                                               hsize_t{1} << 62, hsize_t{1} << 63, ~hsize_t{1}});
  }

  Dims dims(Dims right) {
    if (!odd()) return right;
    if (odd()) return {};
    if (!right.empty() && choices_.ConsumeBool()) {
      right[choices_.ConsumeIntegralInRange<size_t>(0, right.size() - 1)] = huge();
      return right;
    }
    right.resize(choices_.ConsumeIntegralInRange<size_t>(0, 6), 1);
    return right;
  }

  Handle type(hid_t right) {
    if (!odd()) return {H5Tcopy(right), H5Tclose};
    const hid_t base = choices_.PickValueInArray({H5T_STD_I8LE, H5T_STD_U64BE, H5T_STD_I32BE, H5T_IEEE_F32LE,
                                                  H5T_IEEE_F64LE, H5T_STD_B16LE, H5T_C_S1, H5T_STD_REF_OBJ});
    if (odd()) return {H5Tvlen_create(base), H5Tclose};
    return {H5Tcopy(base), H5Tclose};
  }

  // Chunked and without data where it is large, so that a huge claim costs nothing; seldom kept elsewhere.
  Handle dataset(hid_t parent, const char* name, hid_t right_type, const Dims& right_dims) {
    const Dims shape = dims(right_dims);
    const Handle kind = type(right_type);
    const int rank = static_cast<int>(shape.size());
    const Handle space(
        rank == 0 ? H5Screate(odd() ? H5S_NULL : H5S_SCALAR) : H5Screate_simple(rank, shape.data(), nullptr),
        H5Sclose);
    const Handle options(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (rank > 0 && odd()) {
      H5Pset_external(options, "/dev/zero", 0, H5F_UNLIMITED);
    } else if (rank > 0) {
      Dims chunk = shape;
      for (hsize_t& extent : chunk) extent = std::clamp<hsize_t>(extent, 1, 32);
      H5Pset_chunk(options, rank, chunk.data());
    }
    if (odd()) return {};
    if (odd()) {
      H5Lcreate_external("/dev/null", "/x", parent, name, H5P_DEFAULT, H5P_DEFAULT);
      return {};
    }
    return {H5Dcreate2(parent, name, kind, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose};
  }

  Handle group(hid_t parent, const std::string& name) {
    return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  }

  template <typename T>
  void fill(hid_t id, hid_t memory_type, const std::vector<T>& values) {
    const Handle space(H5Dget_space(id), H5Sclose);
    const Handle options(H5Dget_create_plist(id), H5Pclose);
    if (!space.valid() || H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(values.size())) return;
    if (H5Pget_external_count(options) > 0) return;
    H5Dwrite(id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }

  // Integers below `limit` unless told otherwise.
  std::vector<int64_t> numbers(size_t count, int64_t limit) {
    std::vector<int64_t> values(count);
    const int64_t most = odd() ? 3000 : limit;
    const int64_t low = odd() ? -5 : 0;
    for (int64_t& value : values) {
      if (choices_.remaining_bytes() == 0) break;
      value = choices_.ConsumeIntegralInRange<int64_t>(low, most - 1);
    }
    return values;
  }

  std::string text(std::string right) {
    if (!odd()) return right;
    if (choices_.ConsumeBool() || right.empty()) return choices_.ConsumeRandomLengthString(200);
    if (odd()) return right + choices_.PickValueInArray({"\\n", "\\u001b[31m", "\\u0000"});  // JSON's escapes
    right[choices_.ConsumeIntegralInRange<size_t>(0, right.size() - 1)] = choices_.ConsumeIntegral<char>();
    return right;
  }

  void text_attribute(hid_t object, const char* name, const std::string& right) {
    const std::string value = text(right);
    if (odd()) return;
    if (odd()) return neo::h5::write_number(object, name, 1.0);
    neo::h5::write_text(object, name, value);
  }

  FuzzedDataProvider& choices_;
  Handle file_;

 private:
  void truncate(const std::string& path) {
    std::error_code ignored;
    const auto size = std::filesystem::file_size(path, ignored);
    if (size > 0)
      std::filesystem::resize_file(path, choices_.ConsumeIntegralInRange<size_t>(0, size - 1), ignored);
  }
};
