#include "data/h5_walk.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "data/h5.h"

namespace neo::h5 {
namespace {

constexpr int kMostDepth = 32;
constexpr int64_t kBlockNumbers = int64_t{1} << 18;  // read at a time
constexpr int64_t kMostRowNumbers = int64_t{1} << 24;

herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* to) {
  static_cast<std::vector<std::string>*>(to)->emplace_back(name);
  return 0;
}

herr_t read_attribute(hid_t object, const char* name, const H5A_info_t*, void*) {
  std::string text;
  double number = 0;
  if (!read_text(object, name, text)) read_number(object, name, number);
  return 0;
}

void read_attributes(hid_t object) {
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, read_attribute, nullptr);
}

// Numbers only: nobody reads anything else. What is unreadable is reported by the reader that needs it.
void read_numbers(hid_t dataset) {
  const H5T_class_t kind = element_class(dataset);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return;
  const hid_t type = kind == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  const std::vector<int64_t> dims = dimensions(dataset);
  int64_t row = 1;
  for (size_t d = 1; d < dims.size(); ++d) {
    if (dims[d] <= 0 || dims[d] > kMostRowNumbers / row) return;
    row *= dims[d];
  }
  const int64_t rows = dims.empty() ? 1 : dims[0], step = std::max<int64_t>(1, kBlockNumbers / row);
  std::vector<int64_t> numbers(static_cast<size_t>(std::min(rows, step) * row));
  if (dims.empty()) {
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    return;
  }
  std::vector<hsize_t> block(dims.begin(), dims.end());
  for (int64_t begin = 0; begin < rows; begin += step) {
    block[0] = static_cast<hsize_t>(std::min(step, rows - begin));
    if (!read_rows(dataset, type, begin, block, numbers.data())) return;
  }
}

void read_group(hid_t parent, int depth, std::set<haddr_t>& seen) {
  if (depth > kMostDepth) fail("its groups are nested more than {} deep", kMostDepth);
  read_attributes(parent);
  std::vector<std::string> names;
  H5Literate(parent, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, collect_name, &names);
  for (const std::string& name : names) {
    H5O_info_t about;
    if (!is_plain_link(parent, name.c_str())) continue;  // the reader that meets it refuses it
    if (H5Oget_info_by_name(parent, name.c_str(), &about, H5P_DEFAULT) < 0 || !seen.insert(about.addr).second)
      continue;
    if (about.type == H5O_TYPE_GROUP) {
      if (const Handle inner = group(parent, name.c_str()); inner.valid()) read_group(inner, depth + 1, seen);
    } else if (about.type == H5O_TYPE_DATASET) {
      const Handle found(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose);
      if (!found.valid()) continue;
      read_attributes(found);
      if (is_within_file(found)) read_numbers(found);
    }
  }
}

}  // namespace

void read_everything(hid_t file) {
  std::set<haddr_t> seen;  // hard links may lead in circles
  read_group(file, 0, seen);
}

}  // namespace neo::h5
