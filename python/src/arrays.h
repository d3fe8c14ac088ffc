#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

#include "data/array.h"
#include "data/space.h"

namespace neo::python {

namespace nb = nanobind;

// Anything that lends its memory: NumPy arrays, tensors on the CPU, whatever has DLPack; made contiguous if
// it is not.
using Numbers = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

// Whether the numbers are stored as the elements of a space are, so that they need no conversion.
bool is_stored_alike(const Space& space, const Numbers& numbers);

// Observations one after the other [n, ...], stored as the space says; an Error otherwise.
std::vector<Observation> observations_of(const Space& space, const Numbers& numbers);

// Any numbers, for View::from_numbers.
Array to_array(const Numbers& numbers);

// NumPy array of the bytes of `count` observations: [count, *shape]; [*shape] where count is 0.
nb::object to_numpy(const Space& space, std::vector<uint8_t> bytes, size_t count);
nb::object to_numpy(const Space& space, const std::vector<Observation>& observations);
nb::object to_numpy(std::vector<int32_t> values);

}  // namespace neo::python
