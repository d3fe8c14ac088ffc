#include "worlds/h5.h"

#include <cstring>

namespace neo::h5 {
namespace {
constexpr size_t kLongestText = size_t{1} << 20;

Handle open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return {};
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose};
}

bool is_scalar(hid_t attribute) {
  Handle space(H5Aget_space(attribute), H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space) == 1;
}
}  // namespace

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
