#include "arrays.h"

#include "core/error.h"

namespace neo::python {
namespace {

nb::dlpack::dtype dtype_of(const Space& space) {
  switch (space.element()) {
    case Element::u8:
      return nb::dtype<uint8_t>();
    case Element::u16:
      return nb::dtype<uint16_t>();
    case Element::f32:
      return nb::dtype<float>();
  }
  return {};
}

// An array that owns `values`.
template <typename T>
nb::object owning_array(std::vector<T> values, const std::vector<size_t>& shape, nb::dlpack::dtype dtype) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::cast(nb::ndarray<nb::numpy>(kept->data(), shape.size(), shape.data(), owner, nullptr, dtype));
}

template <typename T>
void copy_values(const Numbers& numbers, std::vector<double>& out) {
  const auto* values = static_cast<const T*>(numbers.data());
  out.assign(values, values + numbers.size());
}

}  // namespace

bool is_stored_alike(const Space& space, const Numbers& numbers) {
  return numbers.dtype() == dtype_of(space);
}

std::vector<Observation> observations_of(const Space& space, const Numbers& numbers) {
  if (!is_stored_alike(space, numbers) || numbers.size() % static_cast<size_t>(space.size()) != 0)
    fail_usage("these numbers are no {}", describe(space));
  const auto* bytes = static_cast<const uint8_t*>(numbers.data());
  const auto step = static_cast<size_t>(space.bytes());
  std::vector<Observation> out;
  out.reserve(numbers.nbytes() / step);
  for (size_t at = 0; at < numbers.nbytes(); at += step) {
    out.emplace_back(bytes + at, bytes + at + step);
    observation_of(space, values_of(space, out.back()));  // refuses what is out of range
  }
  return out;
}

Array to_array(const Numbers& numbers) {
  Array array;
  for (size_t d = 0; d < numbers.ndim(); ++d) array.shape.push_back(static_cast<int64_t>(numbers.shape(d)));
  const auto type = numbers.dtype();
  const auto is = [&]<typename T>(T) { return type == nb::dtype<T>(); };
  array.is_real = is(float{}) || is(double{});
  if (is(float{}))
    copy_values<float>(numbers, array.values);
  else if (is(double{}))
    copy_values<double>(numbers, array.values);
  else if (is(bool{}))
    copy_values<bool>(numbers, array.values);
  else if (is(uint8_t{}))
    copy_values<uint8_t>(numbers, array.values);
  else if (is(uint16_t{}))
    copy_values<uint16_t>(numbers, array.values);
  else if (is(uint32_t{}))
    copy_values<uint32_t>(numbers, array.values);
  else if (is(uint64_t{}))
    copy_values<uint64_t>(numbers, array.values);
  else if (is(int8_t{}))
    copy_values<int8_t>(numbers, array.values);
  else if (is(int16_t{}))
    copy_values<int16_t>(numbers, array.values);
  else if (is(int32_t{}))
    copy_values<int32_t>(numbers, array.values);
  else if (is(int64_t{}))
    copy_values<int64_t>(numbers, array.values);
  else
    fail_usage("arrays of this type are not read; give integers, truth values, float32 or float64");
  return array;
}

nb::object to_numpy(const Space& space, std::vector<uint8_t> bytes, size_t count) {
  std::vector<size_t> shape(space.shape.begin(), space.shape.end());
  if (count > 0 || bytes.empty()) shape.insert(shape.begin(), count);
  return owning_array(std::move(bytes), shape, dtype_of(space));
}

nb::object to_numpy(const Space& space, const std::vector<Observation>& observations) {
  std::vector<uint8_t> bytes;
  for (const Observation& observation : observations)
    bytes.insert(bytes.end(), observation.begin(), observation.end());
  return to_numpy(space, std::move(bytes), observations.size());
}

nb::object to_numpy(std::vector<int32_t> values) {
  const std::vector<size_t> shape{values.size()};
  return owning_array(std::move(values), shape, nb::dtype<int32_t>());
}

}  // namespace neo::python
